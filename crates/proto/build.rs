//! Compiles the schemas without a `protoc` binary.

use prost::Message;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let files = [
        "waymark/v1/program.proto",
        "waymark/bridge/v1/bridge.proto",
        "waymark/worker/v1/worker.proto",
        "waymark/runner/v1/runner.proto",
    ];
    let descriptors = protox::compile(files, ["proto"])?;
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    let services = "#[cfg(feature = \"services\")]";
    tonic_prost_build::configure()
        .build_transport(false)
        // Payloads are passed on as they came, not copied.
        .bytes(".waymark.worker.v1")
        .client_mod_attribute(".", services)
        .server_mod_attribute(".", services)
        .compile_fds(descriptors)?;
    Ok(())
}
