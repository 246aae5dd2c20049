//! Git repositories made by `git fast-import`, so that odd paths never touch a work tree.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What a commit puts at a path.
#[derive(Clone, Copy)]
pub enum Put<'a> {
    File(&'a [u8]),
    Executable(&'a [u8]),
    Link(&'a str),
    Submodule(&'a str),
    Delete,
}

/// One commit of a [`Repository`].
pub struct Step<'a> {
    pub branch: &'a str,
    /// Start the branch anew, without history.
    pub orphan: bool,
    pub changes: &'a [(&'a [u8], Put<'a>)],
}

/// A bare repository in a temporary folder.
pub struct Repository {
    pub path: PathBuf,
}

impl Repository {
    /// An empty bare repository whose HEAD names `head`.
    pub fn create(path: &Path, head: &str) -> Self {
        std::fs::create_dir_all(path).unwrap();
        git(path, &["init", "-q", "--bare", "-b", head, "."]);
        Self {
            path: path.to_owned(),
        }
    }

    /// Adds commits and returns their ids.
    pub fn commit(&self, steps: &[Step<'_>]) -> Vec<String> {
        let mut ids = Vec::new();
        for step in steps {
            let parent = self.tip(step.branch).filter(|_| !step.orphan);
            self.import(step, parent.as_deref());
            ids.push(self.tip(step.branch).unwrap());
        }
        ids
    }

    /// One commit on `main` with these files.
    pub fn commit_files(&self, files: &[(&str, &str)]) -> String {
        let changes: Vec<_> = files
            .iter()
            .map(|(path, text)| (path.as_bytes(), Put::File(text.as_bytes())))
            .collect();
        self.commit(&[Step {
            branch: "main",
            orphan: false,
            changes: &changes,
        }])
        .remove(0)
    }

    /// The commit of a branch.
    pub fn tip(&self, branch: &str) -> Option<String> {
        let output = git_command(&self.path)
            .args([
                "rev-parse",
                "-q",
                "--verify",
                &format!("refs/heads/{branch}"),
            ])
            .output()
            .unwrap();
        output
            .status
            .success()
            .then(|| String::from_utf8(output.stdout).unwrap().trim().to_owned())
    }

    fn import(&self, step: &Step<'_>, parent: Option<&str>) {
        let branch = step.branch;
        let mut stream = Vec::new();
        if step.orphan {
            write!(stream, "reset refs/heads/{branch}\n\n").unwrap();
        }
        writeln!(stream, "commit refs/heads/{branch}").unwrap();
        write!(
            stream,
            "committer T <t@example.invalid> 1700000000 +0000\ndata 4\nstep\n"
        )
        .unwrap();
        if let Some(parent) = parent {
            writeln!(stream, "from {parent}").unwrap();
        }
        for (path, put) in step.changes {
            let path = quote(path);
            let mut content = |mode: &str, data: &[u8]| {
                write!(stream, "M {mode} inline ").unwrap();
                stream.extend_from_slice(&path);
                write!(stream, "\ndata {}\n", data.len()).unwrap();
                stream.extend_from_slice(data);
                stream.push(b'\n');
            };
            match put {
                Put::File(data) => content("100644", data),
                Put::Executable(data) => content("100755", data),
                Put::Link(target) => content("120000", target.as_bytes()),
                Put::Submodule(commit) => {
                    write!(stream, "M 160000 {commit} ").unwrap();
                    stream.extend_from_slice(&path);
                    stream.push(b'\n');
                }
                Put::Delete => {
                    stream.extend_from_slice(b"D ");
                    stream.extend_from_slice(&path);
                    stream.push(b'\n');
                }
            }
        }
        stream.push(b'\n');
        let mut child = git_command(&self.path)
            .args(["fast-import", "--quiet", "--force"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(&stream).unwrap();
        assert!(child.wait().unwrap().success());
    }
}

/// Runs git in a folder and asserts that it succeeds.
pub fn git(folder: &Path, arguments: &[&str]) {
    let status = git_command(folder).args(arguments).status().unwrap();
    assert!(status.success(), "git {arguments:?}");
}

fn git_command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}

fn quote(path: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for byte in path {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', *byte]),
            b'\n' => quoted.extend(b"\\n"),
            _ => quoted.push(*byte),
        }
    }
    quoted.push(b'"');
    quoted
}
