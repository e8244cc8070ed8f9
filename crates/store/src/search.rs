//! Which instances a filter means, as conditions that both databases understand.

use uuid::Uuid;

use crate::{Instance, InstanceFilter, InstancePage, Result, Status, Timestamp};

/// How many instances a page of a search for text looks at.
pub(crate) const TEXT_SCAN: i64 = 20_000;

/// A value of a condition.
#[derive(Debug)]
pub(crate) enum Bound<'a> {
    Text(&'a str),
    Id(Uuid),
    Time(Timestamp),
    Bytes(&'a [u8]),
}

/// What the two write in their own ways.
pub(crate) struct Dialect {
    /// Before the number of a parameter.
    pub parameter: char,
    /// Whether the bytes of a parameter (`{}`) stand in a column (`[]`).
    pub contains: &'static str,
}

#[derive(Debug)]
pub(crate) struct Search<'a> {
    /// Joined to `runner_instances r`; it is what the order comes from.
    pub first_table: &'static str,
    /// The column that orders.
    pub order: &'static str,
    pub conditions: String,
    /// The condition on contents, which is dear, apart.
    pub text: Option<String>,
    pub values: Vec<Bound<'a>>,
}

impl InstanceFilter {
    /// Only instances that have not finished are meant.
    fn is_live(&self) -> bool {
        !self.statuses.is_empty() && self.statuses.iter().all(|status| !status.is_final())
    }

    pub(crate) fn search(&self, dialect: &Dialect) -> Search<'_> {
        let mut values: Vec<Bound<'_>> = Vec::new();
        let mut conditions: Vec<String> = Vec::new();
        let mut bind = |value| {
            values.push(value);
            format!("{}{}", dialect.parameter, values.len())
        };
        // The narrowest way in comes first: both databases then walk it in order, and stop when the page is full.
        let is_waiting = self.statuses == [Status::Running] || (self.statuses.len() > 1 && self.is_live());
        let (first_table, order) = match (&self.tags[..], is_waiting) {
            ([_, ..], _) => {
                ("instance_tags t JOIN runner_instances r ON r.instance_id = t.instance_id", "t.instance_id")
            }
            ([], true) if self.workflow_name.is_none() => (
                "queued_instances live JOIN runner_instances r ON r.instance_id = live.instance_id",
                "live.instance_id",
            ),
            ([], _) => ("runner_instances r", "r.instance_id"),
        };
        if let [first, rest @ ..] = &self.tags[..] {
            conditions.push(format!("t.tag = {}", bind(Bound::Text(first))));
            for tag in rest {
                let tag = bind(Bound::Text(tag));
                conditions.push(format!(
                    "EXISTS (SELECT 1 FROM instance_tags more WHERE more.tag = {tag} AND more.instance_id = r.instance_id)"
                ));
            }
        }
        let texts = [
            ("r.workflow_name =", &self.workflow_name),
            ("r.user_key =", &self.user_key),
            ("r.queue =", &self.queue),
            ("r.queue_key =", &self.queue_key),
            ("r.error_type =", &self.error_type),
        ];
        for (condition, value) in texts {
            if let Some(value) = value {
                conditions.push(format!("{condition} {}", bind(Bound::Text(value))));
            }
        }
        if let Some(version) = &self.workflow_version {
            let version = bind(Bound::Text(version));
            conditions.push(format!(
                "r.workflow_version_id IN (SELECT w.id FROM workflow_versions w WHERE w.workflow_version = {version})"
            ));
        }
        let ids = [("r.parent_instance_id =", self.parent_instance_id), ("r.schedule_id =", self.schedule_id)];
        for (condition, value) in ids {
            if let Some(value) = value {
                conditions.push(format!("{condition} {}", bind(Bound::Id(value))));
            }
        }
        let times = [
            ("r.created_at >=", self.created_from),
            ("r.created_at <", self.created_before),
            ("r.finished_at >=", self.finished_from),
            ("r.finished_at <", self.finished_before),
        ];
        for (condition, value) in times {
            if let Some(value) = value {
                conditions.push(format!("{condition} {}", bind(Bound::Time(value))));
            }
        }
        // Written out: the partial indexes are found by it.
        match &self.statuses[..] {
            [] => {}
            [status] => conditions.push(format!("r.status = '{}'", status.name())),
            several => {
                let names: Vec<String> = several.iter().map(|status| format!("'{}'", status.name())).collect();
                conditions.push(format!("r.status IN ({})", names.join(", ")));
            }
        }
        if let Some(cursor) = self.cursor {
            conditions.push(format!("{order} < {}", bind(Bound::Id(cursor))));
        }
        let text = self.text.as_ref().map(|text| {
            let text = bind(Bound::Bytes(text.as_bytes()));
            let contains = |column: &str| dialect.contains.replace("{}", &text).replace("[]", column);
            format!("({} OR {} OR {})", contains("r.inputs"), contains("r.result"), contains("r.error"))
        });
        let conditions = if conditions.is_empty() { "true".into() } else { conditions.join(" AND ") };
        Search { first_table, order, conditions, text, values }
    }
}

impl Search<'_> {
    /// Rows in order, each with whether it is one that is searched for.
    pub(crate) fn page_sql(&self, columns: &str, size: i64) -> String {
        let Search { first_table, order, conditions, text, .. } = self;
        let (is_hit, limit) = match text {
            Some(text) => (text.as_str(), TEXT_SCAN),
            None => ("true", size),
        };
        format!(
            "SELECT {is_hit} AS is_hit, {columns} FROM {first_table}
             LEFT JOIN workflow_versions v ON v.id = r.workflow_version_id
             LEFT JOIN queued_instances q ON q.instance_id = r.instance_id
             WHERE {conditions} ORDER BY {order} DESC LIMIT {limit}"
        )
    }

    pub(crate) fn count_sql(&self, limit: u32) -> String {
        let Search { first_table, conditions, .. } = self;
        format!("SELECT count(*) FROM (SELECT 1 FROM {first_table} WHERE {conditions} LIMIT {limit}) AS found")
    }
}

/// The hits among rows that were looked at in order.
pub(crate) fn page(
    filter: &InstanceFilter,
    rows: impl Iterator<Item = Result<(bool, Instance)>>,
) -> Result<InstancePage> {
    let size = usize::try_from(filter.page_size()).unwrap_or(usize::MAX);
    let looked_at_max = if filter.text.is_some() { TEXT_SCAN as usize } else { size };
    let (mut instances, mut next, mut looked_at) = (Vec::new(), None, 0);
    for row in rows {
        let (is_hit, instance) = row?;
        looked_at += 1;
        let id = instance.instance_id;
        if is_hit {
            instances.push(instance);
        }
        if instances.len() == size || looked_at == looked_at_max {
            next = Some(id);
            break;
        }
    }
    Ok(InstancePage { instances, next })
}
