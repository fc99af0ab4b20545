//! Finds tools by words: names, descriptions and parameters, ranked by BM25, with synonyms of verbs and slips of the pen.

mod index;
mod meanings;
mod terms;
mod weights;
mod words;

pub use index::{Hit, ToolIndex};

use crate::sandbox::Catalog;

/// The tools that match, the best first.
pub fn search<'c>(catalog: &'c Catalog, query: &str, limit: usize) -> Vec<Hit<'c>> {
    ToolIndex::of(catalog).search(catalog, query, limit)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sandbox::{ResultShape, ToolDescription, ToolServer};

    fn catalog() -> Catalog {
        let tool = |name: &str, description: &str, parameter: &str| ToolDescription {
            name: name.into(),
            description: Some(description.into()),
            input: json!({"type": "object", "properties": {(parameter): {"type": "string"}}}),
            output: ResultShape::Unknown,
        };
        Catalog::new(vec![
            ToolServer {
                name: "github".into(),
                tools: vec![
                    tool("create_issue", "Create a new issue in a repository", "title"),
                    tool("list_issues", "List issues of a repository", "state"),
                    tool("merge_pull_request", "Merge a pull request", "pullNumber"),
                    tool("get_file_contents", "Get the contents of a file", "path"),
                ],
                ..ToolServer::default()
            },
            ToolServer {
                name: "fs".into(),
                tools: vec![
                    tool("readTextFile", "Read a file as text", "path"),
                    tool("deleteDirectory", "Delete a folder", "path"),
                ],
                ..ToolServer::default()
            },
        ])
    }

    #[test]
    fn words_synonyms_and_slips_find_tools() {
        let catalog = catalog();
        for (query, expected) in [
            ("create issue", "create_issue"),
            ("open a new issue", "create_issue"),
            ("issues list", "list_issues"),
            ("merge PR pull request", "merge_pull_request"),
            ("remove a directory", "deleteDirectory"),
            ("read text file", "readTextFile"),
            ("pullNumber", "merge_pull_request"),
            ("crate isue", "create_issue"),
            ("merge the PR", "merge_pull_request"),
            ("get rid of a folder", "deleteDirectory"),
            ("which bugs are there", "list_issues"),
            ("create_issue", "create_issue"),
        ] {
            let hits = search(&catalog, query, 3);
            let found = hits.first().map(|hit| hit.tool.described.name.as_str());
            assert_eq!(found, Some(expected), "{query}: {hits:?}");
        }
        assert!(search(&catalog, "kubernetes", 3).is_empty());
        let hits = search(&catalog, "issue title", 1);
        assert_eq!(hits[0].reason, "name: issue; parameter: title");
    }
}
