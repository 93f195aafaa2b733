// Files that give power to whoever writes them: what they say is run later by someone else. They are never written without a person's leave.

/** Names that mean this wherever they stand. */
const names: readonly string[] = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.envrc',
  '.gitconfig',
  '.gitmodules',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.netrc',
  '.mcp.json',
  'mcp.json',
  'SKILL.md',
  'AGENTS.md',
  'CLAUDE.md',
  '.cursorrules',
  'sitecustomize.py',
  'usercustomize.py',
  'crontab',
  'authorized_keys',
]

/** Folders below which everything means this. */
const folders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.vscode',
  '.idea',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.tandem',
  '.husky',
  '.githooks',
  '.github/workflows',
  '.git/hooks',
  '.git/info',
  '.config/fish',
  '.config/autostart',
  '.config/systemd',
  'etc/cron.d',
  'etc/profile.d',
  'etc/systemd',
  'Library/LaunchAgents',
]

const files: readonly string[] = ['.git/config', '.git/config.worktree', '.config/git/config']

/** Case does not count: on many disks it does not either. */
export function givesPower(path: string): boolean {
  const parts = path.toLowerCase().split(/[/\\]+/)
  const name = parts.at(-1) ?? ''
  if (names.some((one) => one.toLowerCase() === name)) return true
  const whole = `/${parts.filter(Boolean).join('/')}`
  return (
    folders.some((folder) => `${whole}/`.includes(`/${folder.toLowerCase()}/`)) ||
    files.some((file) => whole.endsWith(`/${file.toLowerCase()}`))
  )
}
