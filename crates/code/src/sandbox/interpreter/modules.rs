//! The modules that a program can import: `toolscript`, and one for each server. There are no files.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::rc::Rc;

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Error, Exception, Function, Module, Object, Persistent, Result};

use crate::sandbox::modules::{PACKAGE, refusal};

/// Finds modules by what the prelude says that it exports.
#[derive(Clone)]
pub(super) struct Modules(Rc<RefCell<Option<Persistent<Function<'static>>>>>);

impl Modules {
    pub(super) fn new(exported: Persistent<Function<'static>>) -> Self {
        Self(Rc::new(RefCell::new(Some(exported))))
    }

    /// Lets go of the prelude, which must not outlive the interpreter.
    pub(super) fn forget(&self) {
        self.0.take();
    }
}

impl Resolver for Modules {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        _base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let is_ours = name == PACKAGE || name.strip_prefix(PACKAGE).is_some_and(|rest| rest.starts_with('/'));
        if is_ours { Ok(name.to_owned()) } else { Err(Exception::throw_type(ctx, &refusal(name))) }
    }
}

impl Loader for Modules {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let exported = self.0.borrow().clone().ok_or(Error::Unknown)?.restore(ctx)?;
        let exported: Option<Object<'js>> = exported.call((name,))?;
        let Some(exported) = exported else {
            return Err(Exception::throw_type(ctx, &refusal(name)));
        };
        let names: Vec<String> = exported.get("names")?;
        let mut source = "const all = import.meta.exported;\nexport default all.default;\n".to_owned();
        for name in &names {
            // Writing to a string does not fail. The names are identifiers, which the parent has made.
            let _ = writeln!(source, "const {name}_ = all.{name}; export {{ {name}_ as {name} }};");
        }
        let module = Module::declare(ctx.clone(), name, source)?;
        module.meta()?.set("exported", exported.get::<_, Object<'js>>("values")?)?;
        Ok(module)
    }
}
