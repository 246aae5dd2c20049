//! The Git adapter against a real OpenSSH server on loopback.

use std::{
    fs,
    net::TcpStream,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use quarry_shared::{
    adapters::git::Git2Source,
    config::GitSettings,
    domain::{Kinded, RepositoryId, RepositorySource},
    ports::{FetchRequest, GitSource, PortError, RemoteBranches},
};
use tempfile::TempDir;

use crate::{git_repositories::Repository, git_server::free_port};

/// A server that lets one key in, and a repository behind it.
struct World {
    folder: TempDir,
    server: Child,
    port: u16,
    commit: String,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
        for name in ["host", "known", "stranger"] {
            keygen(&["-q", "-t", "ed25519", "-N", "", "-f"], &path.join(name));
        }
        fs::copy(path.join("known.pub"), path.join("authorized")).unwrap();
        let repository = Repository::create(&path.join("group/p.git"), "main");
        let commit = repository.commit_files(&[("a.py", "a")]);
        let port = free_port();
        let shown = path.display();
        fs::write(
            path.join("sshd_config"),
            format!(
                "Port {port}\nListenAddress 127.0.0.1\nHostKey {shown}/host\nPidFile none\n\
                 AuthorizedKeysFile {shown}/authorized\nStrictModes no\nUsePAM no\n\
                 PasswordAuthentication no\nPermitRootLogin yes\n"
            ),
        )
        .unwrap();
        // Its folder for unprivileged children, which packages make at boot.
        let _ = fs::create_dir_all("/run/sshd");
        let server = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f"])
            .arg(path.join("sshd_config"))
            .stderr(Stdio::null())
            .spawn()
            .expect("`sshd` is missing: apt-get install openssh-server");
        let world = Self {
            folder,
            server,
            port,
            commit,
        };
        let deadline = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < deadline, "sshd does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        world
    }

    /// The host key as `ssh-keygen -l` prints it.
    fn fingerprint(&self) -> String {
        let line = keygen(&["-l", "-f"], &self.folder.path().join("host.pub"));
        line.split_whitespace().nth(1).unwrap().to_owned()
    }

    async fn fetch(
        &self,
        key: &str,
        fingerprint: &str,
        path: &Path,
    ) -> Result<RemoteBranches, PortError> {
        let settings = GitSettings {
            allowed_hosts: vec![format!("127.0.0.1:{}", self.port)],
            ssh_private_key: Some(self.folder.path().join(key)),
            ssh_host_keys: vec![format!("127.0.0.1 {fingerprint}")],
            ..GitSettings::default()
        };
        let source = Git2Source::new(settings, self.folder.path().join("mirrors")).unwrap();
        let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout);
        let (user, port) = (user.unwrap(), self.port);
        let request = FetchRequest {
            source: RepositorySource::Git {
                url: format!("ssh://{}@127.0.0.1:{port}{}", user.trim(), path.display()),
            },
            credential: None,
            depth: Some(1),
        };
        let id = RepositoryId::generate();
        let remote = source.fetch(id, &request, &["main".to_owned()]).await?;
        assert_eq!(source.walk(id, &remote.branches[0].commit).await?.len(), 1);
        Ok(remote)
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("group/p.git")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn keygen(arguments: &[&str], file: &Path) -> String {
    let output = Command::new("ssh-keygen")
        .args(arguments)
        .arg(file)
        .output()
        .expect("`ssh-keygen` is missing: apt-get install openssh-client");
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn a_repository_is_fetched_with_the_servers_key() {
    let world = World::new();
    let remote = world
        .fetch("known", &world.fingerprint(), &world.path())
        .await
        .unwrap();
    assert_eq!(remote.default.as_deref(), Some("main"));
    assert_eq!(remote.branches[0].commit, world.commit);
}

#[tokio::test]
async fn strange_keys_hosts_and_paths_are_told_apart() {
    let world = World::new();
    let fingerprint = world.fingerprint();
    let absent = world.folder.path().join("absent.git");
    let stale = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for (key, fingerprint, path, code) in [
        (
            "stranger",
            fingerprint.as_str(),
            world.path(),
            "authentication_failed",
        ),
        ("known", stale, world.path(), "host_key_not_trusted"),
        ("known", &fingerprint, absent, "source_not_found"),
    ] {
        let error = world.fetch(key, fingerprint, &path).await.unwrap_err();
        assert_eq!(error.code(), code, "{error:?}");
    }
}
