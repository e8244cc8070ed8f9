use super::{Place, command, told};

/// Where each value comes from, and that secrets stay where they are.
#[test]
fn values_and_where_they_come_from() {
    let place = Place::new([("waymark.toml", "slots = 8\nuser_modules = ['app', 'mail']\n")]);
    let config = |more: &[&str]| {
        let mut command = command(place.directory.path());
        command.args(["config", "--workers", "3"]).args(more);
        command
            .env("DATABASE_URL", "postgres://me:hunter2@db.example/shop")
            .env("WAYMARK_TOKEN", "hunter2hunter2hunter2");
        command.env("WAYMARK_SLOT", "9");
        told(&mut command).succeeded()
    };
    let listed = config(&["--json"]);
    let row = |key: &str| {
        let rows = listed.json();
        let row = rows.as_array().and_then(|rows| rows.iter().find(|row| row["key"] == key)).cloned();
        let row = row.unwrap_or_else(|| panic!("{key} is listed: {listed}"));
        let source = row["source"].as_str().unwrap_or_default().rsplit('/').next().unwrap_or_default().to_string();
        (row["value"].clone(), source)
    };
    assert_eq!(row("workers"), (3.into(), "--workers".into()));
    assert_eq!(row("slots"), (8.into(), "waymark.toml".into()));
    assert_eq!(row("user_modules"), (serde_json::json!(["app", "mail"]), "waymark.toml".into()));
    assert_eq!(row("database_url"), ("postgres://me:***@db.example/shop".into(), "DATABASE_URL".into()));
    assert_eq!(row("token"), ("***".into(), "WAYMARK_TOKEN".into()));
    assert_eq!(row("lease_seconds"), (15.into(), "default".into()));
    for told in [&listed, &config(&[])] {
        assert!(!told.to_string().contains("hunter2"), "{told}");
        assert!(told.stderr.contains("WAYMARK_SLOT means nothing: did you mean WAYMARK_SLOTS?"), "{told}");
    }
}

#[test]
fn what_is_wrong_is_told_whole() {
    let place = Place::new([]);
    let wrong = place.run(&["config", "--slots", "0", "--lease-seconds", "5", "--heartbeat-seconds", "x"]);
    insta::assert_snapshot!("config_wrong", wrong);
    place.write("waymark.toml", b"slot = 1\n");
    let unknown = place.run(&["config"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("did you mean `slots`?"), "{unknown}");
}
