//! A real Git host on loopback: nginx, fcgiwrap and `git http-backend`, with basic authentication.

use std::{
    fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use tempfile::TempDir;

use crate::git_repositories::Repository;

pub const USER: &str = "oauth2";
pub const TOKEN: &str = "token-hunter2";

/// A running host. Dropping it ends its processes.
pub struct GitServer {
    folder: TempDir,
    children: Vec<Child>,
    pub port: u16,
    pub tls_port: u16,
}

impl GitServer {
    /// Starts the host. `/redirect/…` answers with a redirect to `redirect_to/…`.
    pub fn start(redirect_to: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("projects")).unwrap();
        fs::write(path.join("passwords"), format!("{USER}:{{PLAIN}}{TOKEN}\n")).unwrap();
        certificate(path);
        let (port, tls_port) = (free_port(), free_port());
        let configuration = configuration(path, port, tls_port, redirect_to);
        fs::write(path.join("nginx.conf"), configuration).unwrap();
        let socket = format!("unix:{}", path.join("cgi.sock").display());
        let cgi = Command::new(binary("fcgiwrap"))
            .args(["-s", &socket])
            .spawn();
        let nginx = Command::new(binary("nginx"))
            .arg("-c")
            .arg(path.join("nginx.conf"))
            .arg("-e")
            .arg(path.join("error.log"))
            .spawn();
        let server = Self {
            children: vec![cgi.unwrap(), nginx.unwrap()],
            folder,
            port,
            tls_port,
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "nginx does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }

    /// An empty repository that is served as `/NAME`.
    pub fn repository(&self, name: &str) -> Repository {
        Repository::create(&self.folder.path().join("projects").join(name), "main")
    }

    /// The address of a path on the host.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }

    /// The certificate of the port with TLS.
    pub fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    /// How many requests were answered so far.
    pub fn requests(&self) -> usize {
        fs::read_to_string(self.folder.path().join("access.log"))
            .map_or(0, |log| log.lines().count())
    }
}

impl Drop for GitServer {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A port that nobody listens on.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn binary(name: &str) -> PathBuf {
    ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
        .iter()
        .map(|folder| Path::new(folder).join(name))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("`{name}` is missing: apt-get install nginx-light fcgiwrap"))
}

fn backend() -> PathBuf {
    let output = Command::new("git").arg("--exec-path").output().unwrap();
    let folder = String::from_utf8(output.stdout).unwrap();
    let path = Path::new(folder.trim()).join("git-http-backend");
    assert!(
        path.exists(),
        "`git-http-backend` is missing: apt-get install git"
    );
    path
}

/// A certificate that nobody trusts by default.
fn certificate(folder: &Path) {
    let status = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args([
            "-subj",
            "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-keyout",
            "key.pem",
            "-out",
            "certificate.pem",
        ])
        .current_dir(folder)
        .stderr(Stdio::null())
        .status()
        .expect("`openssl` is missing: apt-get install openssl");
    assert!(status.success());
}

fn configuration(folder: &Path, port: u16, tls_port: u16, redirect_to: &str) -> String {
    let folder = folder.display();
    let backend = backend();
    let backend = backend.display();
    format!(
        "daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body; fastcgi_temp_path {folder}/fastcgi;
  proxy_temp_path {folder}/proxy; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    listen 127.0.0.1:{tls_port} ssl;
    ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
    location ~ ^/redirect/(?<rest>.*)$ {{ return 301 {redirect_to}/$rest$is_args$args; }}
    location ~ ^/renamed/(?<rest>.*)$ {{ return 301 /$rest$is_args$args; }}
    location /broken/ {{ return 502; }}
    location /page/ {{ return 200 'a page'; }}
    location / {{
      auth_basic git; auth_basic_user_file {folder}/passwords;
      fastcgi_pass unix:{folder}/cgi.sock;
      fastcgi_param SCRIPT_FILENAME {backend};
      fastcgi_param GIT_PROJECT_ROOT {folder}/projects;
      fastcgi_param GIT_HTTP_EXPORT_ALL '';
      fastcgi_param PATH_INFO $uri;
      fastcgi_param REMOTE_USER $remote_user;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
    }}
  }}
}}
"
    )
}
