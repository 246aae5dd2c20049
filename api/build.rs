//! Makes sure that there is a folder of dashboard files to embed: a checkout whose dashboard was
//! never built still compiles, and says so in the browser.
#![allow(clippy::expect_used)]

use std::{fs, path::Path};

const PLACEHOLDER: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Quarry</title>\
<p>The dashboard was not built into this server. Run <code>npm ci &amp;&amp; npm run build</code> in \
<code>api/dashboard</code> and build the server again. The API works.</p></html>\n";

fn main() {
    let dist = Path::new("dashboard/dist");
    if !dist.join("index.html").exists() {
        fs::create_dir_all(dist).expect("making the folder of dashboard files");
        fs::write(dist.join("index.html"), PLACEHOLDER).expect("writing the placeholder page");
    }
    println!("cargo::rerun-if-changed=dashboard/dist");
}
