// Commands in a sentence: quoted, typed with options, or the name of a program with what it is to do. Pure.

const programs = {
  /** They can do harm or reach out. With something that looks typed after them. */
  harmful:
    'sudo doas su sh bash zsh fish powershell pwsh cmd curl wget ssh scp sftp rsync nc ncat telnet ftp rm rmdir mv cp ln dd mkfs chmod chown kill killall pkill eval exec source export alias crontab systemctl launchctl service docker podman kubectl helm terraform ansible git npm npx pnpm yarn pip pip3 pipx uv cargo go gem brew apt apt-get dnf yum pacman snap node deno bun python python3 ruby perl php osascript open xdg-open gh aws gcloud az make just psql mysql sqlite3 mongo mongosh redis-cli shutdown reboot halt poweroff iptables ufw useradd passwd mount umount tar base64 openssl',
  /** Commands even without anything that looks typed, after a verb that says to run them. */
  alone: 'reboot shutdown halt poweroff mkfs sudo doas crontab iptables',
} as const

/** What is done with a program. */
const actions: Readonly<Record<string, string>> = {
  git: 'push pull fetch clone checkout switch reset rebase merge commit clean add rm stash tag cherry-pick revert remote config restore filter-branch submodule',
  gh: 'pr repo release auth api secret workflow run',
  'npm|pnpm|yarn|bun': 'install i ci add remove uninstall publish run exec dlx link update audit login deprecate unpublish',
  'pip|pip3|pipx|uv|gem|brew|apt|apt-get|dnf|yum|snap|cargo|go':
    'install add remove uninstall purge update upgrade publish get run build sync yank',
  'docker|podman': 'system run exec rm rmi pull push build compose stop kill prune login volume network container image',
  'kubectl|helm': 'apply delete create exec scale rollout drain cordon patch edit run cp install upgrade uninstall rollback',
  terraform: 'apply destroy init import state',
  'systemctl|service|launchctl': 'start stop restart enable disable mask reload load unload',
  'aws|gcloud|az': 's3 ec2 iam lambda rds compute storage functions vm login',
}

const targets =
  'all build check clean deploy dev install lint migrate prod production publish push release run seed setup ship start stop test'

/** After these, the words are about the program: "git commit messages". */
const nouns =
  'messages? hooks? history commands? repositor(?:y|ies) repos? workflows? users? scripts? packages? files? images? containers? logs? errors? tools? notifications? requests? conventions? (?:is|are|was|were|has|have|takes?|fails?|works?|can|should|must|will|does|means?)'

/** Words of a sentence, which are no longer a part of the command. */
const sentence =
  /\s+(?:for|before|after|when|whenever|and|then|instead|because|so|if|unless|until|once|while|where|which|that|since|every|each|again|first|is|are|was|at the|in the|on the|to the|as)\b.*$/i

const any = (words: string) => words.split(' ').join('|')
const begins = '(?:^|[\\s`"\'(;&|$])'
const runs =
  '\\b(?:runs?|running|executes?|executing|calls?|calling|types?|typing|invokes?|invoking|issues?|launch(?:es)?|via|using|with)\\s+'

const typed = new RegExp(
  `${begins}((?:${any(programs.harmful)})(?!\\s+(?:to|the|a|an|in|on|for|with|sure|it|this|that)\\b)\\s+(?:-{1,2}[a-z][\\w-]*|[\\w./:@~-]+)[^\`"'\\n.]*)`,
  'gi',
)
const alone = new RegExp(`${runs}((?:${any(programs.alone)})\\b[^\`"'\\n.,;]*)`, 'gi')
const withAction = new RegExp(
  `${begins}((?:${Object.entries(actions)
    .map(([names, words]) => `(?:${names})\\s+(?:${any(words)})`)
    .join('|')})(?![\\w-])(?!\\s+(?:${any(nouns)})\\b)[^\`"'\\n.,;]*)`,
  'gi',
)
const withTarget = new RegExp(`(?:${begins}|${runs})((?:make|just)\\s+(?:${any(targets)})[-_:][\\w:-]+)`, 'gi')
const runTarget = new RegExp(`${runs}((?:make|just)\\s+(?:${any(targets)}))(?![\\w-])`, 'gi')

export function commandsIn(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\n]{2,})`/g)].map(([, code = '']) => code.trim()).filter((code) => /\s|[;&|$]/.test(code))
  const bare = [...text.matchAll(typed)].map(([, code = '']) => code.trim()).filter(looksTyped)
  const named = [alone, withAction, withTarget, runTarget].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, code = '']) => code.replace(sentence, '').trim()),
  )
  return [...quoted, ...bare, ...named.filter((code) => !bare.some((other) => other.includes(code)))]
}

/** "git commit messages" are words, `git commit -m` is a command. */
function looksTyped(code: string): boolean {
  return /\s-{1,2}[a-z]|[/|;&$=<>]|:\/\//i.test(code)
}
