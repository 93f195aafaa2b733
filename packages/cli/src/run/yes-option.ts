/** What `--yes` does; keep it in sync with README.md. */
export const yesHelp =
  '  --yes approves, once, every call that has no warning; a call that has one pauses the run. A command has a warning unless every part of it\n' +
  '  * is known to be harmless with its options: it reads in the workspace, creates files or folders there, or redirects its output to a file\n' +
  '    there, which may replace that file (ls, grep -rn, mkdir, echo x > notes.txt), or\n' +
  "  * is known to run the project's own code or to follow its files (npm test, npm run, make, cargo build, cargo test, go test, some git\n" +
  '    commands), and no agent has changed the files that control it.\n' +
  '  These git commands have no warning: status, log, diff, show, blame, rev-parse, ls-files, describe, shortlog, add, commit; and branch, tag\n' +
  '  and remote to list. Every other git command has one: it connects to other machines or changes remotes (push, fetch, pull, clone,\n' +
  '  ls-remote, submodule, remote with an argument), can change or remove files or history (reset, clean, checkout, restore, rebase, rm, mv,\n' +
  '  stash, switch, merge, am, apply, cherry-pick, revert, gc, prune, filter-branch, reflog, update-ref, worktree), can run other programs\n' +
  '  (config, grep, difftool, mergetool, bisect, daemon, hook, for-each-repo), or is not known to be harmless.'
