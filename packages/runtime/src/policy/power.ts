// Files that other programs read or run on their own: writing one decides what these programs do. It always carries a warning. One table for
// the rule below and for the sandbox, which keeps commands from changing most of them.

interface Power {
  /** A name wherever it stands, or the end of a way; everything below it means the same. */
  readonly path: string
  /** `frozen`: commands may read it, not change it. `free`: checking out a branch changes it every day, so it can't be withheld from git. */
  readonly commands: 'frozen' | 'free'
}

const powers: readonly Power[] = [
  ...each(
    'frozen',
    '.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .envrc .config/fish',
    '.gitconfig .gitmodules .config/git .git/config .git/config.worktree .git/hooks .git/info .husky .githooks',
    '.npmrc .yarnrc .yarnrc.yml .pypirc .netrc sitecustomize.py usercustomize.py',
    '.mcp.json mcp.json .cursorrules .cursor .claude .codex .gemini .tandem .vscode .idea',
    '.ssh .gnupg authorized_keys crontab .config/autostart .config/systemd etc/cron.d etc/profile.d etc/systemd Library/LaunchAgents',
  ),
  ...each(
    'free',
    '.git .github/workflows .gitlab-ci.yml .circleci .pre-commit-config.yaml .pre-commit-hooks.yaml lefthook.yml .lefthook.yml',
    '.devcontainer .devcontainer.json conftest.py',
    // Instructions of agents.
    'AGENTS.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md SKILL.md .github/copilot-instructions.md .github/instructions .github/prompts',
    '.clinerules .roo .roorules .roomodes .windsurf .windsurfrules .aider.conf.yml .continue .continuerules .goosehints .junie .kiro',
    '.opencode opencode.json .amp .augment .augment-guidelines .trae .zed',
  ),
]

/** Below any folder: what no command changes. */
export const frozenForCommands: readonly string[] = powers.filter(({ commands }) => commands === 'frozen').map(({ path }) => path)

/** Folders that hold nothing but what they are given: putting one in place puts what is in it in place. */
const parents: readonly string[] = [...new Set(powers.flatMap(({ path }) => above(path.toLowerCase())))]

/** Case does not count: on many disks it does not either. */
export function givesPower(path: string): boolean {
  const whole = `/${path
    .toLowerCase()
    .split(/[/\\]+/)
    .filter(Boolean)
    .join('/')}/`
  return powers.some((power) => whole.includes(`/${power.path.toLowerCase()}/`)) || parents.some((parent) => whole.endsWith(`/${parent}/`))
}

/** `etc` and `Library` are everyone's words; what begins with a dot is not. */
function above(path: string): string[] {
  const parts = path.split('/')
  return parts[0]?.startsWith('.') ? parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/')) : []
}

function each(commands: Power['commands'], ...lists: readonly string[]): Power[] {
  return lists.flatMap((list) => list.split(' ')).map((path) => ({ path, commands }))
}
