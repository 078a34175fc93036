//! Our operator on the wire; everything else is Ballista's business.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::operator::{ChunksExec, Work};

/// Before the JSON of a [`Work`]. No message of Ballista's begins so: the first byte is no field's tag.
const TAG: &[u8] = b"\x07nabsak-chunks\n";

/// Ballista's codec with [`ChunksExec`] beside it. What another build wrote is refused.
#[derive(Debug, Default)]
pub(crate) struct Codec {
    ballista: BallistaPhysicalExtensionCodec,
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(json) = buf.strip_prefix(TAG) else {
            return self.ballista.try_decode(buf, inputs, ctx, converter);
        };
        let work: Work = serde_json::from_slice(json).map_err(external)?;
        let ours = pipeline::build_id();
        if work.build != ours {
            return Err(DataFusionError::Execution(format!(
                "build {} of nabsak made this plan, and this is build {ours}",
                work.build
            )));
        }
        match inputs {
            [input] => Ok(Arc::new(ChunksExec::new(Arc::new(work), Arc::clone(input)))),
            _ => Err(DataFusionError::Internal(
                "ChunksExec has one child".to_owned(),
            )),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(chunks) = node.downcast_ref::<ChunksExec>() else {
            return self.ballista.try_encode(node, buf, converter);
        };
        buf.extend_from_slice(TAG);
        serde_json::to_writer(buf, chunks.work()).map_err(external)
    }
}

fn external(error: serde_json::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
