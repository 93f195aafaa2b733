/** What `--yes` does; keep it in sync with README.md. */
export const yesHelp =
  '  --yes approves once every call without a warning; a call with a warning pauses the run. A command has no warning if it is known to be\n' +
  "  harmless with its options (it reads in the workspace, or writes there), or if it runs the project's own code (npm test, make, cargo,\n" +
  '  go, git) and no agent has changed the files it takes instructions from. Everything else has one: commands that remove files, write or\n' +
  '  read outside the workspace, send data, or run other code.'
