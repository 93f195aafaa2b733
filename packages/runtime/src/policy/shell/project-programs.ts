// Programs that follow files of the project (scripts, hooks, build files), and the options with which they do nothing else. The table of
// instructions lists these files.
import type { ProgramRow } from './program-table.ts'

const gitReads =
  '--oneline --stat --name-only --name-status --graph --all --decorate --no-color --color --format --pretty --abbrev-commit ' +
  '--no-pager --follow --author --since --until --grep --max-count --no-merges --merges --reverse --first-parent --date ' +
  '--numstat --shortstat --summary --patch --no-patch --cached --staged --word-diff --ignore-all-space --diff-filter ' +
  '--unified --no-ext-diff --no-textconv --'
const cargo = '--release --workspace --all-targets --all-features --no-default-features --features --package --locked --offline'

const git = { instructions: 'git' } as const

export const projectRows: readonly ProgramRow[] = [
  {
    words: 'git status',
    short: 'sbuvz',
    long: '--short --branch --porcelain --long --untracked-files --ignored --show-stash --',
    more: 'any',
    ...git,
  },
  { words: 'git log', short: 'piEFMCqz', values: 'nSGL', long: gitReads, more: 'any', ...git },
  { words: 'git diff', short: 'pRwbaMCz', values: 'SG', attached: 'U', long: gitReads, more: 'any', ...git },
  { words: 'git show', short: 'pqwbMCz', values: 'SG', long: gitReads, more: 'any', ...git },
  { words: 'git blame', short: 'wMCesltfn', values: 'L', long: '--line-porcelain --porcelain --date --', more: 'any', ...git },
  {
    words: 'git rev-parse',
    short: 'q',
    long: '--short --abbrev-ref --verify --show-toplevel --is-inside-work-tree --git-dir --symbolic-full-name',
    more: 'any',
    ...git,
  },
  {
    words: 'git ls-files',
    short: 'cdmoiskuztv',
    values: 'x',
    long: '--cached --others --modified --deleted --ignored --exclude-standard --stage --full-name --',
    more: 'any',
    ...git,
  },
  { words: 'git describe', long: '--tags --always --dirty --long --abbrev --all --match', more: 'any', ...git },
  { words: 'git shortlog', short: 'nse', long: '--numbered --summary --email --no-merges --since', more: 'any', ...git },
  {
    words: 'git branch',
    short: 'avrl',
    long: '--list --all --show-current --merged --no-merged --remotes --verbose --sort --format',
    more: 'none',
    ...git,
  },
  { words: 'git tag', short: 'ln', long: '--list --sort --format', more: 'none', ...git },
  { words: 'git remote', short: 'v', long: '--verbose', more: 'none', ...git },
  { words: 'git add', short: 'AuvnN', long: '--all --update --verbose --dry-run --intent-to-add --', more: 'any', bound: true, ...git },
  {
    words: 'git commit',
    short: 'aqvs',
    values: 'm',
    long: '--all --message --quiet --verbose --signoff --dry-run',
    longValues: '--message',
    more: 'any',
    bound: true,
    ...git,
  },
  { words: 'npm test', more: 'none', bound: true, instructions: 'npm' },
  { words: 'npm run *', more: 'none', bound: true, instructions: 'npm' },
  { words: 'npm ls', short: 'ag', long: '--all --depth --json --long --omit', more: 'any', bound: true, instructions: 'npm' },
  { words: 'pnpm test', more: 'none', bound: true, instructions: 'pnpm' },
  { words: 'pnpm run *', more: 'none', bound: true, instructions: 'pnpm' },
  { words: 'yarn test', more: 'none', bound: true, instructions: 'yarn' },
  { words: 'yarn run *', more: 'none', bound: true, instructions: 'yarn' },
  { words: 'make *', more: 'none', bound: true, instructions: 'make' },
  { words: 'make', more: 'none', bound: true, instructions: 'make' },
  { words: 'cargo build', short: 'vqr', values: 'p', long: cargo, more: 'none', bound: true, instructions: 'cargo' },
  { words: 'cargo check', short: 'vqr', values: 'p', long: cargo, more: 'none', bound: true, instructions: 'cargo' },
  {
    words: 'cargo test',
    short: 'vqr',
    values: 'p',
    long: `${cargo} --lib --doc --no-run`,
    more: 'any',
    bound: true,
    instructions: 'cargo',
  },
  { words: 'go build', short: 'v', long: '-race -mod', more: 'any', bound: true, instructions: 'go' },
  {
    words: 'go test',
    short: 'v',
    long: '-race -run -count -short -cover -timeout -failfast -bench',
    longValues: '-run -count -timeout -bench',
    more: 'any',
    bound: true,
    instructions: 'go',
  },
  { words: 'go vet', short: 'v', more: 'any', bound: true, instructions: 'go' },
]
