// Why a skill cannot be used here: one table, each reason with its remedy. `{name}` is replaced with what it is about.

export const skillReasons = {
  missing_binary: { title: 'A program is missing', hint: 'Install {name} and make sure that it is on PATH.' },
  missing_env: { title: 'An environment variable is missing', hint: 'Set {name} in the environment Tandem starts in.' },
  missing_path: { title: 'A file or folder is missing', hint: 'Create {name}, or correct the path in the skill.' },
  unsupported_os: { title: 'Not made for this operating system', hint: 'Run the skill on a device with {name}.' },
  missing_marker: { title: 'Not made for this workspace', hint: 'Open a workspace that contains {name}.' },
  sandbox_too_strict: { title: 'The sandbox is too strict', hint: 'Give the agent the sandbox mode {name}, if you trust the skill.' },
  workspace_read_only: { title: 'The workspace is read-only', hint: 'Make {name} writable, or open another workspace.' },
  needs_container: { title: 'A container is needed', hint: 'Start Tandem where {name} can run containers.' },
  needs_virtualenv: { title: 'A virtual environment is needed', hint: 'Create and activate the virtual environment {name}.' },
  needs_remote_host: { title: 'A remote host is needed', hint: 'Connect a remote executor for {name} in the settings.' },
  executor_protocol_mismatch: {
    title: 'The remote executor uses another protocol',
    hint: 'Update the remote executor to one that supports {name}.',
  },
  missing_remote_capability: {
    title: 'The remote executor lacks a capability',
    hint: 'Connect a remote executor that offers {name}.',
  },
  invalid_frontmatter: { title: 'SKILL.md is not valid', hint: 'Fix this in SKILL.md: {name}.' },
  duplicate_name: { title: 'Another skill has this name', hint: 'Rename one of the skills called {name}, or remove it.' },
} as const satisfies Record<string, { readonly title: string; readonly hint: string }>

export type SkillReason = keyof typeof skillReasons

export const skillReasonNames = Object.keys(skillReasons) as SkillReason[]

/** The text of the reason, with the name filled in. */
export function skillProblem(reason: SkillReason, name: string) {
  const { title, hint } = skillReasons[reason]
  return { reason, name, title, hint: hint.replaceAll('{name}', () => name) }
}
