// What is known of programs: how many words make a rule, and which options leave the rule what it says. What is not listed here is
// remembered word for word or not at all.

export interface Row {
  /** The rule: a command that begins with these words. `*` stands for one word that is no option. */
  readonly words: string
  /** Single letters that may stand behind one dash, alone or together; digits always may. */
  readonly short?: string
  /** Options written out, with their dashes, a space between them; each may carry `=value`. */
  readonly long?: string
  /** Whether other words may follow: files to read and patterns to look for, or text that names no file. Where none may, an option carries its value behind `=`. */
  readonly more: 'any' | 'text' | 'none'
  /** It does what the folder says it does (scripts, hooks, build files): a rule about it is one about that folder. */
  readonly bound?: true
}

const gnuReads = '--help --version'
const gitReads =
  '--oneline --stat --name-only --name-status --graph --all --decorate --no-color --color --format --pretty --abbrev-commit ' +
  '--no-pager --follow --author --since --until --grep --max-count --no-merges --merges --reverse --first-parent --date ' +
  '--numstat --shortstat --summary --patch --no-patch --cached --staged --word-diff --ignore-all-space --diff-filter ' +
  '--unified --no-ext-diff --no-textconv'
const searches =
  '--include --exclude --exclude-dir --color --line-number --count --files-with-matches --files-without-match --ignore-case ' +
  '--invert-match --only-matching --recursive --word-regexp --context --after-context --before-context --max-count ' +
  '--no-filename --with-filename'
const ripgrep =
  '--files --hidden --no-ignore --glob --iglob --type --type-not --count --count-matches --json --line-number ' +
  '--no-line-number --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --files-with-matches ' +
  '--files-without-match --max-count --max-depth --multiline --context --after-context --before-context --heading ' +
  '--no-heading --sort --stats --color --only-matching --invert-match --no-messages --pcre2 --column --trim --vimgrep'
const findTests =
  '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -atime -ctime -newer ' +
  '-empty -not -a -o -and -or -prune -print -print0 -user -group -perm -xdev -mount -links -samefile -daystart -depth -L -P ' +
  '-H'
const cargo = '--release --workspace --all-targets --all-features --no-default-features --features --package --locked --offline'

export const rows: readonly Row[] = [
  {
    words: 'ls',
    short: 'laAhR1trSdFinpsTuvXcgGLB',
    long: `--all --almost-all --human-readable --recursive --color --group-directories-first --reverse --sort --time --time-style --full-time --directory --classify ${gnuReads}`,
    more: 'any',
  },
  { words: 'pwd', short: 'LP', more: 'none' },
  { words: 'echo', short: 'neE', more: 'text' },
  { words: 'printf', more: 'text' },
  { words: 'true', more: 'none' },
  { words: 'false', more: 'none' },
  { words: 'whoami', more: 'none' },
  { words: 'id', short: 'ugnGr', more: 'text' },
  { words: 'uname', short: 'asnrvmpio', long: '--all', more: 'none' },
  { words: 'cat', short: 'AbeEnstTuv', long: `--number --show-all ${gnuReads}`, more: 'any' },
  { words: 'head', short: 'ncqvz', long: `--lines --bytes --quiet --verbose ${gnuReads}`, more: 'any' },
  { words: 'tail', short: 'ncqvzfF', long: `--lines --bytes --quiet --verbose --follow --retry ${gnuReads}`, more: 'any' },
  { words: 'wc', short: 'clmwL', long: `--bytes --lines --words --chars --max-line-length ${gnuReads}`, more: 'any' },
  { words: 'stat', short: 'cfLt', long: `--format --printf --dereference --terse ${gnuReads}`, more: 'any' },
  { words: 'file', short: 'bikLh', long: `--brief --mime --mime-type --mime-encoding ${gnuReads}`, more: 'any' },
  {
    words: 'du',
    short: 'achskmdxLS',
    long: `--summarize --human-readable --max-depth --all --total --exclude --apparent-size ${gnuReads}`,
    more: 'any',
  },
  { words: 'df', short: 'ahHTikmlP', long: `--human-readable --inodes --print-type --total ${gnuReads}`, more: 'any' },
  { words: 'tree', short: 'adfhLIPsDpugFQrtUvC', long: `--dirsfirst --gitignore --noreport ${gnuReads}`, more: 'any' },
  { words: 'grep', short: 'abcEFGHhIiLlmnoPqrRsvwxzABCe', long: `${searches} ${gnuReads}`, more: 'any' },
  { words: 'egrep', short: 'abcHhIiLlmnoqrRsvwxzABCe', long: `${searches} ${gnuReads}`, more: 'any' },
  { words: 'fgrep', short: 'abcHhIiLlmnoqrRsvwxzABCe', long: `${searches} ${gnuReads}`, more: 'any' },
  { words: 'rg', short: 'abcFHIilLmNnoqsSuvwxABCegtTPU', long: `${ripgrep} ${gnuReads}`, more: 'any' },
  { words: 'find', long: findTests, more: 'any' },
  {
    words: 'diff',
    short: 'abBcdEiNpqrstTuUwyZ',
    long: `--unified --brief --recursive --side-by-side --ignore-all-space --color --new-file --exclude ${gnuReads}`,
    more: 'any',
  },
  { words: 'cmp', short: 'bls', more: 'any' },
  { words: 'comm', short: '123', more: 'any' },
  {
    words: 'sort',
    short: 'bcCdfghiMnRrsuVktz',
    long: `--numeric-sort --reverse --unique --key --field-separator --human-numeric-sort --version-sort --ignore-case --stable ${gnuReads}`,
    more: 'any',
  },
  {
    words: 'cut',
    short: 'bcdfsz',
    long: `--delimiter --fields --characters --bytes --complement --output-delimiter ${gnuReads}`,
    more: 'any',
  },
  { words: 'tr', short: 'cCdst', long: `--delete --squeeze-repeats --complement ${gnuReads}`, more: 'text' },
  { words: 'nl', short: 'bnwsvi', more: 'any' },
  { words: 'tac', more: 'any' },
  { words: 'basename', short: 'asz', more: 'text' },
  { words: 'dirname', short: 'z', more: 'text' },
  { words: 'realpath', short: 'emsLPz', long: '--relative-to --relative-base', more: 'any' },
  { words: 'readlink', short: 'efmnqsvz', more: 'any' },
  { words: 'which', short: 'a', more: 'text' },
  { words: 'sha256sum', short: 'bctz', more: 'any' },
  { words: 'md5sum', short: 'bctz', more: 'any' },
  {
    words: 'jq',
    short: 'cCeMnrRsSja',
    long: `--arg --argjson --raw-output --compact-output --slurp --sort-keys --null-input --exit-status --tab --indent ${gnuReads}`,
    more: 'any',
  },
  {
    words: 'git status',
    short: 'sbuvz',
    long: '--short --branch --porcelain --long --untracked-files --ignored --show-stash',
    more: 'any',
  },
  { words: 'git log', short: 'npSGiEFLMCqz', long: gitReads, more: 'any' },
  { words: 'git diff', short: 'pRUwbaMCSGz', long: gitReads, more: 'any' },
  { words: 'git show', short: 'pqwbMCSGz', long: gitReads, more: 'any' },
  { words: 'git blame', short: 'LwMCesltfn', long: '--line-porcelain --porcelain --date', more: 'any' },
  {
    words: 'git rev-parse',
    short: 'q',
    long: '--short --abbrev-ref --verify --show-toplevel --is-inside-work-tree --git-dir --symbolic-full-name',
    more: 'any',
  },
  {
    words: 'git ls-files',
    short: 'cdmoiskuztvx',
    long: '--cached --others --modified --deleted --ignored --exclude-standard --stage --full-name',
    more: 'any',
  },
  { words: 'git describe', long: '--tags --always --dirty --long --abbrev --all --match', more: 'any' },
  { words: 'git shortlog', short: 'nse', long: '--numbered --summary --email --no-merges --since', more: 'any' },
  {
    words: 'git branch',
    short: 'avrl',
    long: '--list --all --show-current --merged --no-merged --remotes --verbose --sort --format',
    more: 'none',
  },
  { words: 'git tag', short: 'ln', long: '--list --sort --format', more: 'none' },
  { words: 'git remote', short: 'v', long: '--verbose', more: 'none' },
  { words: 'git add', short: 'AuvnN', long: '--all --update --verbose --dry-run --intent-to-add', more: 'any', bound: true },
  { words: 'git commit', short: 'amqvs', long: '--all --message --quiet --verbose --signoff --dry-run', more: 'any', bound: true },
  { words: 'npm test', more: 'none', bound: true },
  { words: 'npm ls', short: 'ag', long: '--all --depth --json --long --omit', more: 'any' },
  { words: 'npm run *', more: 'none', bound: true },
  { words: 'pnpm test', more: 'none', bound: true },
  { words: 'pnpm run *', more: 'none', bound: true },
  { words: 'yarn test', more: 'none', bound: true },
  { words: 'yarn run *', more: 'none', bound: true },
  { words: 'cargo build', short: 'vqrp', long: cargo, more: 'none', bound: true },
  { words: 'cargo check', short: 'vqrp', long: cargo, more: 'none', bound: true },
  {
    words: 'cargo test',
    short: 'vqrp',
    long: '--release --workspace --all-targets --all-features --no-default-features --features --package --lib --doc --no-run --locked --offline',
    more: 'any',
    bound: true,
  },
  { words: 'go build', short: 'v', long: '-race -mod', more: 'any', bound: true },
  { words: 'go test', short: 'v', long: '-race -run -count -short -cover -timeout -failfast -bench', more: 'any', bound: true },
  { words: 'go vet', short: 'v', more: 'any', bound: true },
]

/** The row whose rule these words begin with, and how many words that is. */
export function rowFor(words: readonly string[]): { readonly row: Row; readonly length: number } | null {
  for (const row of rows) {
    const rule = row.words.split(' ')
    if (rule.every((word, at) => words[at] === word || (word === '*' && isName(words[at])))) return { row, length: rule.length }
  }
  return null
}

/** Whether the words behind the rule leave it what it says. Anything that begins with a dash is taken for an option, wherever it stands. */
export function isHarmless(rest: readonly string[], row: Row): boolean {
  return rest.every((word) => (word.startsWith('-') && word !== '-' ? isKnownOption(word, row) : row.more !== 'none'))
}

function isKnownOption(word: string, { short = '', long = '' }: Row): boolean {
  const [name = ''] = word.split('=', 1)
  if (long.split(' ').includes(name)) return true
  return /^-[^-]+$/.test(word) && [...word.slice(1)].every((letter) => /[0-9]/.test(letter) || short.includes(letter))
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[\w:.@/-]+$/.test(word) && !word.startsWith('-')
}
