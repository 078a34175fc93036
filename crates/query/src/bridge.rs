//! A [`store::Store`] as the read-only object store that DataFusion wants.

use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::DateTime;
use futures_util::stream::{self, BoxStream, StreamExt};
use object_store::path::Path;
use object_store::{
    Attributes, CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload,
    PutResult, Result,
};
use store::Store;

const NAME: &str = "nabsak store";

/// Reads through a [`Store`]; every verb that would write answers `NotImplemented`.
///
/// The store's calls block, so each runs on the runtime's blocking threads.
pub(crate) struct Bridge {
    store: Arc<dyn Store>,
}

/// A store as DataFusion reads it.
pub fn reader(store: Arc<dyn Store>) -> Arc<dyn ObjectStore> {
    Arc::new(Bridge::new(store))
}

impl Bridge {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Store) -> std::result::Result<T, BoxError> + Send + 'static,
    ) -> Result<T> {
        let store = Arc::clone(&self.store);
        tokio::task::spawn_blocking(move || work(store.as_ref()))
            .await
            .map_err(|error| generic(error.into()))?
            .map_err(generic)
    }

    async fn meta(&self, location: &Path) -> Result<ObjectMeta> {
        let key = location.to_string();
        let entry = self.blocking(move |store| Ok(store.head(&key)?)).await?;
        Ok(ObjectMeta {
            location: location.clone(),
            // Parts never change under their name, so no reader may depend on their time.
            last_modified: DateTime::UNIX_EPOCH,
            size: entry.size,
            e_tag: None,
            version: None,
        })
    }

    async fn bytes(&self, location: &Path, range: Range<u64>) -> Result<Bytes> {
        let key = location.to_string();
        self.blocking(move |store| {
            let mut bytes = Vec::with_capacity(usize::try_from(range.end - range.start)?);
            store
                .read(&key, Some(range), None)?
                .read_to_end(&mut bytes)?;
            Ok(Bytes::from(bytes))
        })
        .await
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn generic(source: BoxError) -> Error {
    Error::Generic {
        store: NAME,
        source,
    }
}

fn read_only<T>(operation: &str) -> Result<T> {
    Err(Error::NotImplemented {
        operation: operation.to_owned(),
        implementer: NAME.to_owned(),
    })
}

impl fmt::Display for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)
    }
}

impl fmt::Debug for Bridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bridge").finish_non_exhaustive()
    }
}

#[async_trait]
impl ObjectStore for Bridge {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        read_only("put")
    }

    async fn put_multipart_opts(
        &self,
        _: &Path,
        _: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        read_only("put_multipart")
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let meta = self.meta(location).await?;
        options.check_preconditions(&meta)?;
        let range = match &options.range {
            Some(range) => range
                .as_range(meta.size)
                .map_err(|error| generic(error.into()))?,
            None => 0..meta.size,
        };
        let bytes = if options.head {
            Bytes::new()
        } else {
            self.bytes(location, range.clone()).await?
        };
        Ok(GetResult {
            payload: GetResultPayload::Stream(stream::once(async { Ok(bytes) }).boxed()),
            meta,
            range,
            attributes: Attributes::new(),
        })
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        locations.map(|_| read_only("delete")).boxed()
    }

    fn list(&self, _: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        stream::once(async { read_only("list") }).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        read_only("list_with_delimiter")
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        read_only("copy")
    }
}
