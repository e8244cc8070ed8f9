//! Which instances a filter means, as conditions that both databases understand.

use uuid::Uuid;

use crate::{Instance, InstanceFilter, InstancePage, Status, Timestamp};

/// How many instances a page looks at, where there is a condition that no index knows.
const SCAN_MAX: i64 = 10_000;

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
    /// What indexes are found by.
    conditions: Vec<String>,
    /// What is only seen when an instance is looked at.
    residue: Vec<String>,
    pub values: Vec<Bound<'a>>,
}

impl InstanceFilter {
    /// Only instances that have not finished are meant.
    fn is_live(&self) -> bool {
        !self.statuses.is_empty() && self.statuses.iter().all(|status| !status.is_final())
    }

    pub(crate) fn search(&self, dialect: &Dialect) -> Search<'_> {
        let mut values: Vec<Bound<'_>> = Vec::new();
        let (mut conditions, mut residue): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
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
            (true, "r.workflow_name =", &self.workflow_name),
            (false, "r.queue =", &self.queue),
            (false, "r.queue_key =", &self.queue_key),
            (true, "r.error_type =", &self.error_type),
        ];
        for (is_indexed, condition, value) in texts {
            if let Some(value) = value {
                let condition = format!("{condition} {}", bind(Bound::Text(value)));
                if is_indexed { &mut conditions } else { &mut residue }.push(condition);
            }
        }
        match (&self.user_key, &self.workflow_name) {
            (Some(key), Some(workflow)) => {
                // There is an index for those that are live, and one for the others.
                let (key, workflow) = (bind(Bound::Text(key)), bind(Bound::Text(workflow)));
                let of = |finished: &str| {
                    format!(
                        "SELECT k.instance_id FROM runner_instances k
                         WHERE k.workflow_name = {workflow} AND k.user_key = {key} AND k.finished_at {finished}"
                    )
                };
                conditions.push(format!("r.instance_id IN ({} UNION ALL {})", of("IS NULL"), of("IS NOT NULL")));
            }
            (Some(key), None) => residue.push(format!("r.user_key = {}", bind(Bound::Text(key)))),
            (None, _) => {}
        }
        if let Some(version) = &self.workflow_version {
            let version = bind(Bound::Text(version));
            residue.push(format!(
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
                residue.push(format!("{condition} {}", bind(Bound::Time(value))));
            }
        }
        // Written out: the partial indexes are found by it.
        match &self.statuses[..] {
            [] => {}
            [Status::Completed] => residue.push("r.status = 'completed'".into()),
            [status] => conditions.push(format!("r.status = '{}'", status.name())),
            several => {
                let names: Vec<String> = several.iter().map(|status| format!("'{}'", status.name())).collect();
                conditions.push(format!("r.status IN ({})", names.join(", ")));
            }
        }
        if let Some(cursor) = self.cursor {
            conditions.push(format!("{order} < {}", bind(Bound::Id(cursor))));
        }
        if let Some(text) = &self.text {
            let text = bind(Bound::Bytes(text.as_bytes()));
            let contains = |column: &str| dialect.contains.replace("{}", &text).replace("[]", column);
            residue.push(format!("({} OR {} OR {})", contains("r.inputs"), contains("r.result"), contains("r.error")));
        }
        Search { first_table, order, conditions, residue, values }
    }
}

impl Search<'_> {
    /// A page of those that are searched for, in order: of so many that were looked at.
    pub(crate) fn page_sql(&self, columns: &str, size: i64) -> String {
        let (scan, is_hit) = match self.looks_at_each() {
            true => (self.scan_sql("r.*", SCAN_MAX, 0), "r.is_hit"),
            false => (self.scan_sql("r.*", size, 0), "true"),
        };
        format!(
            "SELECT {columns} FROM (
                 SELECT * FROM ({scan}) AS r WHERE {is_hit} ORDER BY r.instance_id DESC LIMIT {size}
             ) AS r LEFT JOIN workflow_versions v ON v.id = r.workflow_version_id
             LEFT JOIN queued_instances q ON q.instance_id = r.instance_id ORDER BY r.instance_id DESC"
        )
    }

    /// The last one that a page has looked at, if there is more behind it.
    pub(crate) fn end_sql(&self) -> String {
        format!("SELECT r.instance_id FROM ({}) AS r", self.scan_sql("r.instance_id", 1, SCAN_MAX - 1))
    }

    pub(crate) fn count_sql(&self, limit: u32) -> String {
        let conditions = all(self.conditions.iter().chain(&self.residue));
        format!("SELECT count(*) FROM (SELECT 1 FROM {} WHERE {conditions} LIMIT {limit}) AS found", self.first_table)
    }

    /// Whether pages may be short though there is more.
    pub(crate) fn looks_at_each(&self) -> bool {
        !self.residue.is_empty()
    }

    fn scan_sql(&self, columns: &str, limit: i64, offset: i64) -> String {
        let Search { first_table, order, conditions, residue, .. } = self;
        format!(
            "SELECT {columns}, ({}) AS is_hit FROM {first_table} WHERE {} ORDER BY {order} DESC LIMIT {limit} OFFSET {offset}",
            all(residue),
            all(conditions),
        )
    }
}

fn all<'a>(conditions: impl IntoIterator<Item = &'a String>) -> String {
    let conditions: Vec<&str> = conditions.into_iter().map(String::as_str).collect();
    if conditions.is_empty() { "true".into() } else { conditions.join(" AND ") }
}

/// Rows, and where the next page begins: behind the last of a full one, else behind what was looked at.
pub(crate) fn page(filter: &InstanceFilter, instances: Vec<Instance>, looked_at: Option<Uuid>) -> InstancePage {
    let is_full = instances.len() as i64 >= filter.page_size();
    let last = instances.last().map(|instance| instance.instance_id);
    InstancePage { next: if is_full { last } else { looked_at }, instances }
}
