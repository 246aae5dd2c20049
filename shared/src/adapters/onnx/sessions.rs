//! Copies of one model that run side by side.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ort::environment::Environment;
use ort::ep::CUDA;
use ort::session::Session;
use ort::session::builder::{GraphOptimizationLevel, SessionBuilder};
use ort::value::{Outlet, Tensor, TensorElementType};
use tokio::sync::Semaphore;

use super::texts::Batch;
use super::{OnnxError, SYSTEM, runtime};
use crate::config::{ExecutionDevice, OnnxRuntimeSettings};
use crate::ports::PortError;

const MAX_SESSIONS: usize = 64;

/// An output of the model as it came out of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Output {
    pub shape: Vec<usize>,
    pub data: Vec<f32>,
}

/// A pool. A run takes a free copy and gives it back.
#[derive(Debug)]
pub(super) struct Sessions {
    free: Mutex<Vec<Session>>,
    permits: Arc<Semaphore>,
    count: usize,
    inputs: Vec<ModelInput>,
    outputs: Vec<ModelOutput>,
}

/// An output that the model declares.
#[derive(Debug, Clone)]
pub(super) struct ModelOutput {
    pub name: String,
    /// Number of axes.
    pub rank: usize,
}

/// The inputs that encoders have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModelInput {
    TokenIds,
    AttentionMask,
    TypeIds,
}

impl ModelInput {
    const ALL: [Self; 3] = [Self::TokenIds, Self::AttentionMask, Self::TypeIds];

    const fn name(self) -> &'static str {
        match self {
            Self::TokenIds => "input_ids",
            Self::AttentionMask => "attention_mask",
            Self::TypeIds => "token_type_ids",
        }
    }
}

/// The model file of a path that may also name its directory.
pub(super) fn model_file(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join("model.onnx")
    } else {
        path.to_owned()
    }
}

impl Sessions {
    /// Loads the copies. Blocks.
    pub(super) fn load(path: &Path, settings: &OnnxRuntimeSettings) -> Result<Self, OnnxError> {
        let unreadable = |source| OnnxError::FileUnreadable {
            path: path.to_owned(),
            source,
        };
        std::fs::File::open(path).map_err(unreadable)?;
        let environment = runtime::environment(&settings.library)?;
        let count = settings.sessions.clamp(1, MAX_SESSIONS);
        let sessions: Vec<Session> = (0..count)
            .map(|_| load_session(path, settings, &environment, count))
            .collect::<Result<_, _>>()?;
        let Some(first) = sessions.first() else {
            return Err(unfit(path, "was not loaded"));
        };
        let inputs = known_inputs(path, first.inputs())?;
        let outputs = first.outputs().iter().map(|outlet| ModelOutput {
            name: outlet.name().to_owned(),
            rank: outlet.dtype().tensor_shape().map_or(0, |shape| shape.len()),
        });
        Ok(Self {
            outputs: outputs.collect(),
            inputs,
            free: Mutex::new(sessions),
            permits: Arc::new(Semaphore::new(count)),
            count,
        })
    }

    pub(super) fn outputs(&self) -> &[ModelOutput] {
        &self.outputs
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Runs one batch when a copy is free. A cancelled call still ends its run and returns the copy.
    pub(super) async fn run(
        self: &Arc<Self>,
        batch: Batch,
        output: String,
    ) -> Result<Output, PortError> {
        let permit = Arc::clone(&self.permits)
            .acquire_owned()
            .await
            .map_err(|error| PortError::broken(SYSTEM, error))?;
        let sessions = Arc::clone(self);
        let run = move || {
            let result = sessions.run_blocking(&batch, &output);
            drop(permit);
            result
        };
        tokio::task::spawn_blocking(run)
            .await
            .map_err(|error| PortError::broken(SYSTEM, error))?
    }

    /// Runs one batch on this thread.
    pub(super) fn run_blocking(&self, batch: &Batch, output: &str) -> Result<Output, PortError> {
        let session = self.lock().pop();
        let Some(mut session) = session else {
            return Err(PortError::Unavailable {
                system: SYSTEM,
                detail: "every copy of the model is busy".to_owned(),
                retry_after: None,
            });
        };
        let result = run(&mut session, &self.inputs, batch, output);
        self.lock().push(session);
        result.map_err(|error| PortError::broken(SYSTEM, error))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn run(
    session: &mut Session,
    inputs: &[ModelInput],
    batch: &Batch,
    output: &str,
) -> Result<Output, ort::Error> {
    let mut values = Vec::with_capacity(inputs.len());
    for input in inputs {
        let data = match input {
            ModelInput::TokenIds => &batch.ids,
            ModelInput::AttentionMask => &batch.attention,
            ModelInput::TypeIds => &batch.types,
        };
        let shape = [batch.rows(), batch.width];
        values.push((input.name(), Tensor::from_array((shape, data.clone()))?));
    }
    let outputs = session.run(values)?;
    let value = outputs
        .get(output)
        .ok_or_else(|| ort::Error::new(format!("the output `{output}` is absent")))?;
    let (shape, data) = value.try_extract_tensor::<f32>()?;
    let shape: Option<Vec<usize>> = shape
        .iter()
        .map(|axis| usize::try_from(*axis).ok())
        .collect();
    Ok(Output {
        shape: shape.unwrap_or_default(),
        data: data.to_vec(),
    })
}

fn load_session(
    path: &Path,
    settings: &OnnxRuntimeSettings,
    environment: &Environment,
    count: usize,
) -> Result<Session, OnnxError> {
    let unusable = |source: ort::Error| OnnxError::ModelUnusable {
        path: path.to_owned(),
        source: source.into(),
    };
    let mut builder = session_builder(settings, environment, count).map_err(unusable)?;
    if settings.device == ExecutionDevice::Cuda {
        builder = with_cuda(builder, settings, environment, count)?;
    }
    builder.commit_from_file(path).map_err(unusable)
}

fn session_builder(
    settings: &OnnxRuntimeSettings,
    environment: &Environment,
    count: usize,
) -> Result<SessionBuilder, ort::Error> {
    let threads = match settings.threads {
        0 => {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
            (cores / count).max(1)
        }
        threads => threads,
    };
    // Spinning threads would burn the cores that parse and write meanwhile.
    Ok(Session::builder(environment)?
        .with_optimization_level(GraphOptimizationLevel::All)?
        .with_intra_threads(threads)?
        .with_intra_op_spinning(false)?
        .with_inter_op_spinning(false)?)
}

/// Adds the CUDA provider. Where it cannot be had, the CPU takes over only if that was allowed.
fn with_cuda(
    builder: SessionBuilder,
    settings: &OnnxRuntimeSettings,
    environment: &Environment,
    count: usize,
) -> Result<SessionBuilder, OnnxError> {
    let provider = CUDA::default()
        .with_device_id(settings.cuda_device)
        .build()
        .error_on_failure();
    let reason = match builder.with_execution_providers([provider]) {
        Ok(builder) => return Ok(builder),
        Err(error) => error.to_string(),
    };
    if !settings.allow_cpu_fallback {
        return Err(OnnxError::CudaUnavailable { reason });
    }
    tracing::warn!(reason, "CUDA cannot be used; the model runs on the CPU");
    session_builder(settings, environment, count).map_err(|error| OnnxError::CudaUnavailable {
        reason: error.to_string(),
    })
}

/// Checks that every input can be filled.
fn known_inputs(path: &Path, outlets: &[Outlet]) -> Result<Vec<ModelInput>, OnnxError> {
    let mut inputs = Vec::new();
    for outlet in outlets {
        let name = outlet.name();
        let known = ModelInput::ALL
            .into_iter()
            .find(|input| input.name() == name);
        let Some(input) = known else {
            return Err(unfit(path, &format!("has the unknown input `{name}`")));
        };
        if outlet.dtype().tensor_type() != Some(TensorElementType::Int64) {
            return Err(unfit(
                path,
                &format!("wants `{name}` in another type than int64"),
            ));
        }
        inputs.push(input);
    }
    if !inputs.contains(&ModelInput::TokenIds) {
        return Err(unfit(path, "has no input `input_ids`"));
    }
    Ok(inputs)
}

pub(super) fn unfit(path: &Path, fault: &str) -> OnnxError {
    OnnxError::ModelUnfit {
        path: path.to_owned(),
        fault: fault.to_owned(),
    }
}
