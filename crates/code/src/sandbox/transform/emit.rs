//! JavaScript as text, and where each part of it comes from.

use std::mem;
use std::path::PathBuf;

use oxc_allocator::ArenaVec;
use oxc_ast::ast::{Program, Statement};
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};

use crate::sandbox::code_frame::{NAME, offset};

/// JavaScript, and the way back from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sandbox) struct Emitted {
    pub(in crate::sandbox) javascript: String,
    /// In the order of the JavaScript. Lines and columns count from zero, columns in UTF-16.
    tokens: Vec<EmittedToken>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct EmittedToken {
    line: usize,
    column: usize,
    source_line: usize,
    source_column: usize,
}

/// Writes imports and body as a module whose default export is a function.
pub(super) fn emit<'a>(program: &mut Program<'a>, imports: ArenaVec<'a, Statement<'a>>) -> Emitted {
    let body = mem::replace(&mut program.body, imports);
    let head = Codegen::new().with_options(options(None)).build(program).code;
    program.body = body;
    let written = Codegen::new().with_options(options(Some(NAME.into()))).build(program);
    let mut javascript = head;
    if !javascript.is_empty() && !javascript.ends_with('\n') {
        javascript.push('\n');
    }
    javascript.push_str("export default async () => {\n");
    let before = javascript.bytes().filter(|byte| *byte == b'\n').count();
    javascript.push_str(&written.code);
    javascript.push_str("\n};\n");
    let number = |number: u32| usize::try_from(number).unwrap_or_default();
    let mut tokens = Vec::new();
    if let Some(map) = written.map {
        tokens.extend(map.get_tokens().map(|token| EmittedToken {
            line: number(token.get_dst_line()) + before,
            column: number(token.get_dst_col()),
            source_line: number(token.get_src_line()),
            source_column: number(token.get_src_col()),
        }));
    }
    Emitted { javascript, tokens }
}

fn options(source_map_path: Option<PathBuf>) -> CodegenOptions {
    CodegenOptions { source_map_path, comments: CommentOptions::disabled(), ..CodegenOptions::default() }
}

impl Emitted {
    /// The byte of the source that a place in the JavaScript comes from. Both count from one, columns in bytes.
    pub(in crate::sandbox) fn origin(&self, source: &str, line: usize, column: usize) -> Option<usize> {
        let (line, column) = (line.checked_sub(1)?, column.saturating_sub(1));
        let text = self.javascript.lines().nth(line)?;
        let column = text[..text.floor_char_boundary(column)].encode_utf16().count();
        let after = self.tokens.partition_point(|token| (token.line, token.column) <= (line, column));
        let token = self.tokens.get(after.checked_sub(1)?)?;
        // Text before the first token of a line comes from nowhere in particular.
        let token = if token.line == line {
            token
        } else {
            self.tokens.get(after).filter(|next| next.line == line)?
        };
        offset(source, token.source_line, token.source_column)
    }
}
