//! Talking over TLS: the command, workers in Rust, and what is said when it does not come about.

use std::process::Stdio;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::Value as Json;

use super::serve::Site;
use super::{Told, told};

const TOKEN: &str = "a-token-for-the-tests";
const NAME: &str = "bridge.internal";

/// `ca.pem` has signed the server's; `other.pem` is an authority of the same name, and has signed nothing.
fn site() -> Site {
    let site = Site::new();
    let authority = || {
        let mut parameters = CertificateParams::default();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap()
    };
    let (ours, key) = (authority(), KeyPair::generate().unwrap());
    let certificate = CertificateParams::new([NAME.to_string()]).unwrap().signed_by(&key, &ours).unwrap();
    site.place.write("ca.pem", ours.pem().as_bytes());
    site.place.write("other.pem", authority().pem().as_bytes());
    site.place.write("certificate.pem", certificate.pem().as_bytes());
    site.place.write("key.pem", key.serialize_pem().as_bytes());
    site
}

/// What others reach has TLS; from here it is reached by loopback.
fn serve(site: &mut Site, arguments: &[&str]) -> Json {
    let everywhere = ["--bridge-address", "0.0.0.0:0", "--worker-address", "0.0.0.0:0", "--token", TOKEN];
    site.serve(&[&["dev", "--workers", "0"], &everywhere[..], arguments].concat())
}

fn port(address: &Json) -> &str {
    address.as_str().and_then(|address| address.rsplit(':').next()).expect("an address")
}

fn count(site: &Site, address: &str, arguments: &[&str]) -> Told {
    let mut command = site.command(&["count", "--bridge-address", address]);
    told(command.args(arguments).env("WAYMARK_TOKEN", TOKEN))
}

const CERTIFICATE: [&str; 4] = ["--tls-certificate", "certificate.pem", "--tls-key", "key.pem"];
const TRUST: [&str; 4] = ["--tls-ca", "ca.pem", "--tls-name", NAME];

#[test]
fn the_command_and_workers_speak_tls() {
    let mut site = site();
    let record = serve(&mut site, &CERTIFICATE);
    let (bridge, workers) = (port(&record["address"]), port(&record["worker_address"]));
    assert_eq!(record["address"], format!("https://0.0.0.0:{bridge}"));
    assert_eq!(record["worker_address"], format!("https://0.0.0.0:{workers}"));

    let mut worker = site.command(&["test-worker"]);
    worker.env("WAYMARK_WORKER_ADDRESS", format!("https://127.0.0.1:{workers}")).env("WAYMARK_WORKER_TOKEN", TOKEN);
    worker.env("WAYMARK_TLS_CA", site.path("ca.pem"));
    let refused = told(&mut worker);
    assert!(refused.code == 2 && refused.stderr.contains("is not for this name"), "{refused}");
    worker.env("WAYMARK_TLS_NAME", NAME).stderr(Stdio::null());
    site.keep(worker.spawn().expect("waymark starts"));

    let address = format!("https://127.0.0.1:{bridge}");
    let run = |arguments: &[&str]| {
        let mut command = site.command(&["run", "chain.ir", "--input", "{\"n\": 4}"]);
        told(command.args(arguments).args(TRUST).env("WAYMARK_TOKEN", TOKEN)).succeeded()
    };
    assert_eq!(run(&["--bridge-address", &address]).json()["value"], 9);
    // Found by its database; and without a scheme, because it is no address of this host alone.
    let database = site.path(".waymark/waymark.db").display().to_string();
    run(&["--database-url", &database]);
    assert_eq!(count(&site, &format!("0.0.0.0:{bridge}"), &TRUST).succeeded().stdout, "2\n");
    let mut ensure = site.command(&["bridge", "--ensure", "--json", "--bridge-address", &format!("0.0.0.0:{bridge}")]);
    let found = told(ensure.args(TRUST).env("WAYMARK_TOKEN", TOKEN)).succeeded().json();
    assert_eq!(
        [&found["address"], &found["tls_ca"], &found["tls_name"]],
        [&record["address"], &Json::from(site.path("ca.pem").display().to_string()), &Json::from(NAME)]
    );
}

#[test]
fn who_can_not_be_trusted_or_understood_is_refused() {
    let mut site = site();
    let record = serve(&mut site, &CERTIFICATE);
    let plain = serve(&mut site, &["--database-url", "plain.db"]);
    let bridge = format!("127.0.0.1:{}", port(&record["address"]));
    let secure = format!("https://{bridge}");
    let not_tls = format!("https://127.0.0.1:{}", port(&plain["address"]));
    let cases = [
        (&secure, &[][..], "nobody that we trust has signed the certificate", "set tls_ca"),
        (&secure, &["--tls-ca", "other.pem", "--tls-name", NAME], "nobody that we trust", "another authority"),
        (&secure, &["--tls-ca", "ca.pem"], "is only valid for DnsName(\"bridge.internal\")", "set tls_name"),
        (&secure, &["--tls-ca", "key.pem"], "there is no certificate in the file", "PEM file"),
        (&secure, &["--tls-ca", "nothere.pem"], "nothere.pem", "paths"),
        (&bridge, &TRUST, "speaks TLS, and was spoken to in plain text", "write https://"),
        (&not_tls, &TRUST, "does not speak TLS", "write http://"),
    ];
    for (address, arguments, message, hint) in cases {
        let told = count(&site, address, arguments);
        assert_eq!(told.code, 2, "{address} {arguments:?}: {told}");
        let (error, way_out) = told.stderr.split_once("hint: ").unwrap_or_else(|| panic!("{told}"));
        assert!(error.contains(message) && way_out.contains(hint), "{address} {arguments:?}: {told}");
        assert!(!told.stderr.contains(TOKEN), "{told}");
    }
    // Found by its database: it is there, so nobody waits for it or starts another.
    let database = site.path(".waymark/waymark.db").display().to_string();
    let told = told(site.command(&["count", "--database-url", &database]).env("WAYMARK_TOKEN", TOKEN));
    assert!(told.code == 2 && told.stderr.contains("nobody that we trust"), "{told}");
}

#[test]
fn the_scheme_decides_for_servers_too() {
    let mut site = site();
    let forced = ["--bridge-address", "https://127.0.0.1:0", "--worker-address", "http://0.0.0.0:0", "--token", TOKEN];
    let record = site.serve(&[&["dev", "--workers", "0"], &forced[..], &CERTIFICATE].concat());
    let (bridge, workers) = (port(&record["address"]), port(&record["worker_address"]));
    assert_eq!(record["address"], format!("https://127.0.0.1:{bridge}"));
    assert_eq!(record["worker_address"], format!("http://0.0.0.0:{workers}"));
    count(&site, &format!("https://127.0.0.1:{bridge}"), &TRUST).succeeded();

    let told = site.run(&["bridge", "--database-url", "other.db", "--bridge-address", "https://127.0.0.1:0"]);
    assert!(told.code == 2 && told.stderr.contains("no certificate to show"), "{told}");
    assert!(told.stderr.contains("hint: set tls_certificate"), "{told}");
}

/// Once, and only where somebody can listen.
#[test]
fn a_token_in_plain_text_is_warned_of() {
    let mut site = site();
    let record = serve(&mut site, &[]);
    let port = port(&record["address"]);
    for address in ["127.0.0.1", "localhost", "0.0.0.0", "http://127.0.0.1"] {
        assert_eq!(count(&site, &format!("{address}:{port}"), &[]).succeeded().stderr, "", "{address}");
    }
    // An authority to trust does not make TLS of what is plain text, whether it was found or said to be so.
    let ways = [vec!["--database-url", ".waymark/waymark.db"], vec!["--bridge-address", "http://0.0.0.0:PORT"]];
    for way in ways {
        let way: Vec<String> = way.iter().map(|word| word.replace("PORT", port)).collect();
        let mut ensure = site.command(&["bridge", "--ensure", "--json"]);
        let found = told(ensure.args(&way).args(TRUST).env("WAYMARK_TOKEN", TOKEN)).succeeded().json();
        assert_eq!(found["address"], format!("http://0.0.0.0:{port}"), "{way:?}");
    }
    // Another host's, as far as anybody can tell from its name.
    let told = count(&site, &format!("localhost.localdomain.invalid:{port}"), &[]);
    assert_eq!(told.stderr.matches("in plain text, and others may read it").count(), 1, "{told}");
}
