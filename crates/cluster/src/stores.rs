//! Stores by address: the plan of a query names the commit's store, and a worker opens it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreRegistry;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use store::{Location, S3Settings};
use url::Url;

/// Opens the stores that addresses made by [`root_of`] name, each once. S3 is reached as the environment says.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    open: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
}

/// The address of a store, such as `nabsak://2f6f7574/`: the place's bytes stand in the host, in hex, since a plan keeps only
/// scheme and host of where a file's store is.
pub(crate) fn root_of(place: &str) -> String {
    let hex: String = place.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("nabsak://{hex}/")
}

fn place_of(url: &Url) -> Option<String> {
    let hex = url.host_str().filter(|_| url.scheme() == "nabsak")?;
    let bytes = hex.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(url.host_str()?.to_owned(), store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let wrong = || DataFusionError::Execution(format!("{url} is no store of nabsak"));
        let place = place_of(url).ok_or_else(wrong)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.get(&place) {
            return Ok(Arc::clone(store));
        }
        let external = |error: store::Error| DataFusionError::External(Box::new(error));
        let location: Location = place.parse().map_err(external)?;
        // Opening S3 waits for its own runtime, which no thread of this one may.
        let opened = std::thread::spawn(move || store::open(&location, &S3Settings::default()));
        let opened = opened.join().map_err(|_| wrong())?;
        let store = query::reader(opened.map_err(external)?);
        open.insert(place, Arc::clone(&store));
        Ok(store)
    }
}

/// An empty store for every address of ours: for a scheduler, which reads plans and no rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoStores;

impl ObjectStoreRegistry for NoStores {
    fn register_store(&self, _: &Url, _: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        None
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        match place_of(url) {
            Some(_) => Ok(Arc::new(InMemory::new())),
            None => Err(DataFusionError::Execution(format!(
                "{url} is no store of nabsak"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_address() {
        for place in ["/out/a b", "s3://bucket/prefix", "/ผล"] {
            let url = Url::parse(&root_of(place)).expect("a URL");
            assert_eq!(place_of(&url).as_deref(), Some(place));
        }
        for other in ["file:///etc/passwd", "nabsak://commit/", "nabsak://zz/"] {
            let url = Url::parse(other).expect("a URL");
            assert_eq!(place_of(&url), None, "{other}");
        }
    }
}
