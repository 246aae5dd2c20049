//! Lends our own requests to libgit2, under a scheme that nobody else can name.
//!
//! libgit2 is told `quarry-http://NUMBER`; the number leads to the [`HttpRemote`] that was made for
//! this one exchange, so that no address and no credential passes through libgit2. Everything runs on
//! the thread that called libgit2.

use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use git2::{
    ErrorClass, ErrorCode,
    transport::{Service, SmartSubtransport, SmartSubtransportStream, Transport},
};

use super::http::{Answer, HttpRemote};
use crate::ports::PortError;

/// The private scheme.
pub(super) const SCHEME: &str = "quarry-http";

static REMOTES: Mutex<BTreeMap<u64, Arc<HttpRemote>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicU64 = AtomicU64::new(0);

fn remotes() -> MutexGuard<'static, BTreeMap<u64, Arc<HttpRemote>>> {
    REMOTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets libgit2 find a remote until it is dropped.
pub(super) struct Ticket {
    number: u64,
    remote: Arc<HttpRemote>,
}

impl Ticket {
    pub(super) fn issue(remote: HttpRemote) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let remote = Arc::new(remote);
        remotes().insert(number, Arc::clone(&remote));
        Self { number, remote }
    }

    /// What to tell libgit2.
    pub(super) fn address(&self) -> String {
        format!("{SCHEME}://{}", self.number)
    }

    /// Why the exchange failed, where it was not libgit2 that ended it.
    pub(super) fn failure(&self) -> Option<PortError> {
        self.remote.take_failure()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        remotes().remove(&self.number);
    }
}

/// The transport of a remote with an address of ours.
pub(super) fn transport(remote: &git2::Remote<'_>) -> Result<Transport, git2::Error> {
    let found = remote
        .url()
        .ok()
        .and_then(|url| url.strip_prefix(SCHEME)?.strip_prefix("://"))
        .and_then(|number| number.parse().ok())
        .and_then(|number: u64| remotes().get(&number).cloned())
        .ok_or_else(|| failure("the exchange is over"))?;
    Transport::smart(remote, true, Subtransport(found))
}

struct Subtransport(Arc<HttpRemote>);

impl SmartSubtransport for Subtransport {
    fn action(
        &self,
        _: &str,
        action: Service,
    ) -> Result<Box<dyn SmartSubtransportStream>, git2::Error> {
        let state = match action {
            Service::UploadPackLs => match self.0.advertisement() {
                Ok(answer) => State::Answering(answer),
                Err(error) => {
                    self.0.note(error);
                    return Err(failure("the remote failed"));
                }
            },
            Service::UploadPack => State::Asking(Vec::new()),
            Service::ReceivePackLs | Service::ReceivePack => {
                return Err(failure("nothing is pushed"));
            }
        };
        Ok(Box::new(Stream {
            remote: Arc::clone(&self.0),
            state,
        }))
    }

    fn close(&self) -> Result<(), git2::Error> {
        Ok(())
    }
}

/// One request and its answer.
struct Stream {
    remote: Arc<HttpRemote>,
    state: State,
}

enum State {
    /// libgit2 writes a whole request, of what it wants and has, and then reads.
    Asking(Vec<u8>),
    Answering(Answer),
    Failed,
}

impl Stream {
    fn noted(&mut self, error: PortError) -> io::Error {
        self.remote.note(error);
        self.state = State::Failed;
        io::Error::other("the remote failed")
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let State::Asking(request) = &mut self.state {
            let request = std::mem::take(request);
            match self.remote.upload_pack(request) {
                Ok(answer) => self.state = State::Answering(answer),
                Err(error) => return Err(self.noted(error)),
            }
        }
        let State::Answering(answer) = &mut self.state else {
            return Err(io::Error::other("the answer is over"));
        };
        let read = self.remote.read(answer, buffer);
        read.map_err(|error| self.noted(error))
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let State::Asking(request) = &mut self.state else {
            return Err(io::Error::other("the answer has begun"));
        };
        request.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failure(message: &str) -> git2::Error {
    git2::Error::new(ErrorCode::GenericError, ErrorClass::Net, message)
}
