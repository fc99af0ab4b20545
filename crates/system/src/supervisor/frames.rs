//! Fields of messages as bytes: numbers are 8 bytes little-endian, texts are a length and their bytes.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::containment::Confinement;
use crate::model::{Contained, Fences, Identity, Network};

/// Fields of a frame that is being written; the front is kept free for its length.
pub(super) struct FrameFields(Vec<u8>);

impl Default for FrameFields {
    fn default() -> Self {
        Self(vec![0; 8])
    }
}

impl FrameFields {
    pub(super) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn numbers(&mut self, numbers: impl IntoIterator<Item = u64>) {
        numbers.into_iter().for_each(|number| self.number(number));
    }

    pub(super) fn text(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn tagged(&mut self, tag: u64, text: &str) {
        self.number(tag);
        self.text(text.as_bytes());
    }

    pub(super) fn path(&mut self, path: &Path) {
        self.text(path.as_os_str().as_bytes());
    }

    pub(super) fn texts<'t>(&mut self, texts: impl ExactSizeIterator<Item = &'t [u8]>) {
        self.number(texts.len() as u64);
        texts.for_each(|text| self.text(text));
    }

    pub(super) fn confinement(&mut self, confinement: Option<&Confinement>) {
        self.number(u64::from(confinement.is_some()));
        let Some(rules) = confinement else { return };
        let Fences { writable, kept, hidden, shown, own } = &rules.fences;
        for paths in [writable, kept, hidden, shown, own, &rules.sockets] {
            self.texts(paths.iter().map(|path| path.as_os_str().as_bytes()));
        }
        let ports = rules.network.ports();
        self.text(rules.network.name().as_bytes());
        self.number(ports.len() as u64);
        self.numbers(ports.iter().map(|port| u64::from(*port)));
        self.path(&rules.ports);
        self.path(&rules.probe);
        self.number(u64::from(rules.is_required));
    }

    pub(super) fn contained(&mut self, contained: &Contained) {
        self.number(match contained {
            Contained::Yes => 0,
            Contained::Partly(_) => 1,
            Contained::No(_) => 2,
        });
        self.texts(contained.missing().iter().map(String::as_bytes));
    }

    pub(super) fn identity(&mut self, identity: Option<&Identity>) {
        self.number(u64::from(identity.is_some()));
        if let Some(Identity { path, device, inode }) = identity {
            self.path(path);
            self.number(*device);
            self.number(*inode);
        }
    }

    pub(super) fn frame(mut self) -> Vec<u8> {
        let length = (self.0.len() - 8) as u64;
        self.0[..8].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// Fields of a frame that are still to be read; `None` where the bytes end early.
pub(super) struct Rest<'a>(pub(super) &'a [u8]);

impl Rest<'_> {
    /// Values behind their number. One that may be absent is a list of one or none.
    pub(super) fn several<Value>(&mut self, read: impl Fn(&mut Self) -> Option<Value>) -> Option<Vec<Value>> {
        (0..self.number()?).map(|_| read(self)).collect()
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        Some(self.number()? != 0)
    }

    pub(super) fn paths(&mut self) -> Option<Vec<PathBuf>> {
        self.several(Self::path)
    }

    pub(super) fn confinement(&mut self) -> Option<Confinement> {
        let fences = Fences {
            writable: self.paths()?,
            kept: self.paths()?,
            hidden: self.paths()?,
            shown: self.paths()?,
            own: self.paths()?,
        };
        let sockets = self.paths()?;
        let name = self.string()?;
        let ports = self.several(|rest| u16::try_from(rest.number()?).ok())?;
        let network = Network::named(&name, ports)?;
        let (ports, probe) = (self.path()?, self.path()?);
        let is_required = self.flag()?;
        Some(Confinement { fences, sockets, network, ports, probe, is_required })
    }

    pub(super) fn contained(&mut self) -> Option<Contained> {
        let kind = self.number()?;
        let missing = self.several(Self::string)?;
        Some(match kind {
            0 => Contained::Yes,
            1 => Contained::Partly(missing),
            _ => Contained::No(missing.join("; ")),
        })
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub(super) fn identity(&mut self) -> Option<Identity> {
        Some(Identity { path: self.path()?, device: self.number()?, inode: self.number()? })
    }

    pub(super) fn text(&mut self) -> Option<Vec<u8>> {
        let length = self.number()?.try_into().ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text.to_vec())
    }

    pub(super) fn string(&mut self) -> Option<String> {
        String::from_utf8(self.text()?).ok()
    }

    pub(super) fn path(&mut self) -> Option<PathBuf> {
        self.text().map(|bytes| OsString::from_vec(bytes).into())
    }
}
