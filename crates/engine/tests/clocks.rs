//! A host whose calendar is set while it runs: leases, heartbeats and polls go on as if nothing had happened, and what is due by the
//! calendar is noticed soon.

use std::time::Duration;

use waymark_engine::{Front, FrontCommand, FrontInput, Now, Options};
use waymark_store::Claimed;

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;

#[test]
fn a_calendar_that_is_set_back_delays_no_polls() {
    let mut front = Front::new(Options { reclaim: Duration::from_secs(60), ..Options::default() });
    let at = |calendar_us: i64, steady_us: i64| Now { calendar_us, steady_us };
    let claims = |commands: Vec<FrontCommand>| {
        commands.iter().filter(|command| matches!(command, FrontCommand::Claim(_))).count()
    };
    assert_eq!(claims(front.handle(at(10 * HOUR, 0), FrontInput::Time)), 1);
    front.handle(at(10 * HOUR, 1), FrontInput::Claimed(Ok(Claimed::default())));
    for (calendar_us, steady_us) in [(9 * HOUR, SECOND), (20 * HOUR, 2 * SECOND), (0, 3 * SECOND)] {
        assert_eq!(front.next_wakeup(), steady_us);
        assert_eq!(claims(front.handle(at(calendar_us, steady_us), FrontInput::Time)), 1);
        front.handle(at(calendar_us, steady_us), FrontInput::Claimed(Ok(Claimed::default())));
    }
}
