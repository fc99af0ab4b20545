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
        ("wrangler versions upload", "`wrangler versions upload` line 1"),
        ("drizzle-kit migrate", "`drizzle-kit migrate` line 1"),
        ("drizzle-kit push --force", "`drizzle-kit push --force` line 1"),
        ("drizzle-kit drop", "`drizzle-kit drop` line 1"),
        ("maybe_run git push origin v1", "`maybe_run git push origin v1` line 1"),
        ("run git -C docs push", "`run git -C docs push` line 1"),
        ("retry 3 docker push x", "`retry 3 docker push x` line 1"),
        ("try gh release create v1", "`try gh release create v1` line 1"),
        ("run gsutil rm gs://b/x", "`run gsutil rm gs://b/x` line 1"),
        ("gh -R o/r release create v1", "`gh -R o/r release create v1` line 1"),
        ("gh pr --repo o/r merge 1", "`gh pr --repo o/r merge 1` line 1"),
        ("gsutil -m -h A:b -o C:d=e cp out/x gs://b", "`gsutil -m -h A:b -o C:d=e cp out/x gs://b` line 1"),
        (
            "docker buildx build --output type=registry .",
            "`docker buildx build --output type=registry .` line 1",
        ),
        (
            "docker buildx build --output=type=registry,a=b .",
            "`docker buildx build --output=type=registry,a=b .` line 1",
        ),
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
        "build-and-push",
        "build-and-upload-cri-dockerd-binaries",
        "test_and_deploy",
        "deprecate-packages",
        "dev:nuke",
        "dev-db-wipe",
        "devPurge",
        "dev_stack_destroy",
    ] {
        assert_eq!(because(name, "node x.js").as_deref(), Some("its name"), "{name}");
    }
    assert_eq!(because("db_reset", "").as_deref(), Some("its name"));
    for text in ["nox -s release", "bundle exec rake release", "tox run -e release"] {
        assert_eq!(because("release", text).as_deref(), Some("its name"), "{text}");
    }
    for text in ["", "echo x; node x.js", "deploy: images\n\t@echo done", "echo $(node x.js)"] {
        assert_eq!(because("deploy", text).as_deref(), Some("its name"), "{text}");
    }
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
        ("deploy", "echo 'open the site, and push the button' && exit 1"),
        ("publish", "true"),
        ("push", "push:\n\t@printf '%s' x\n\t@:"),
        ("build-and-test", "node x.js"),
        ("build-push-notifications", "node x.js"),
        ("dev:destroyer", "node x.js"),
        ("test:wipe", "node x.js"),
        ("x", "run git commit -m push; run git clean -fdx; try docker build .; retry 3 npm publish"),
        ("x", "run gh pr view 1; maybe_run git push --dry-run"),
        ("x", "gh -R o/create pr view 1; gh pr -R o/r list"),
        ("x", "gsutil -h rm ls gs://b; gsutil -o a=b cp gs://b/x ."),
        ("x", "docker buildx build --output type=local,dest=out ."),
        ("x", "drizzle-kit generate"),
    ] {
        assert_eq!(because(name, text), None, "{name}: {text}");
    }
}
