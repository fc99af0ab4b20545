use super::*;

fn because(name: &str, text: &str) -> Option<String> {
    let found = irreversible(name, Some(text).filter(|text| !text.is_empty()))?;
    Some(found.line.map_or_else(|| found.because.clone(), |line| format!("{} line {line}", found.because)))
}

#[test]
fn commands_that_publish_deploy_or_destroy_are_reported_with_their_line() {
    for (text, expected) in [
        ("npm run build && git push --tags", "`git push --tags` line 1"),
        ("cd infra; terraform apply -auto-approve", "`terraform apply -auto-approve` line 1"),
        ("set -e\nmake\nnpm publish --access public", "`npm publish --access public` line 3"),
        ("if test -n \"$X\"; then kubectl delete ns x; fi", "`kubectl delete ns x` line 1"),
        ("X=$(git push)", "`git push` line 1"),
        ("git -C docs reset --hard HEAD", "`git -C docs reset --hard HEAD` line 1"),
        ("git clean -fdx", "`git clean -fdx` line 1"),
        ("rm -rf ~/.cache/x", "`rm -rf ~/.cache/x` line 1"),
        ("rm -rf $HOME", "`rm -rf $HOME` line 1"),
        ("docker buildx build . --push", "`docker buildx build . --push` line 1"),
        ("aws s3 sync dist s3://bucket", "`aws s3 sync dist s3://bucket` line 1"),
        ("aws lambda update-function-code --zip x", "`aws lambda update-function-code --zip x` line 1"),
        ("gh release create v1", "`gh release create v1` line 1"),
        ("psql -c 'drop table x'", "`psql -c drop table x` line 1"),
        ("ssh host systemctl restart x", "`ssh host systemctl restart x` line 1"),
        ("rsync -a dist/ host:/srv", "`rsync -a dist/ host:/srv` line 1"),
        ("curl -X POST https://x.example/hook", "`curl -X POST https://x.example/hook` line 1"),
        ("npm run deploy", "`npm run deploy` line 1"),
        ("make publish", "`make publish` line 1"),
        ("$(DOCKER) push x", "`$(DOCKER) push x` line 1"),
        ("gsutil cp out/x gs://b/x", "`gsutil cp out/x gs://b/x` line 1"),
        ("./gradlew :lib:publish", "`./gradlew :lib:publish` line 1"),
    ] {
        assert_eq!(because("x", text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn names_that_say_so_are_reported() {
    for name in [
        "deploy",
        "deploy:prod",
        "publishAll",
        "images-push",
        "scripts/deploy.sh",
        "docs_publish2",
        "build-image-push",
        "upload-x",
    ] {
        assert_eq!(because(name, "node x.js").as_deref(), Some("its name"), "{name}");
    }
    assert_eq!(because("db_reset", "").as_deref(), Some("its name"));
}

#[test]
fn ordinary_tools_are_not_reported() {
    for (name, text) in [
        ("release", "cargo build --release"),
        ("build-release", "make all"),
        ("css-reset", "sass reset.scss"),
        ("e2e:push-notifications", "vitest"),
        ("deploy:dry-run", "node x"),
        ("dropdown", "vite build"),
        ("predeploy", "npm run build"),
        ("x", "echo \"run git push yourself\""),
        ("x", "# git push"),
        ("x", "git log --grep push; git stash push; git push --dry-run; git clean -n; git reset HEAD~1"),
        ("x", "kubectl get pods; helm template x; terraform plan; gh pr view 1; aws s3 ls"),
        ("x", "aws s3 cp s3://bucket/x ."),
        ("clean", "rm -rf dist build coverage node_modules/.cache"),
        ("clean", "rm -rf $(BUILD_DIR) /tmp/x ../app/dist"),
        ("x", "npm test -- publish; cargo test publish; pytest -k publish"),
        ("x", "curl -sSf https://x.example/install; curl -X POST http://localhost:3000/reset"),
        ("x", "goreleaser release --snapshot --clean"),
        ("x", "psql -c 'select 1'"),
        ("x", "ssh -V"),
        ("x", "docker run --rm x rm -rf /app/dist"),
    ] {
        assert_eq!(because(name, text), None, "{name}: {text}");
    }
}
