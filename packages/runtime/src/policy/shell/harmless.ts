// Commands that only read, or create what they name in the workspace, with the options for which this is true.
import type { ProgramRow } from './program-table.ts'

const help = '--help --version'
const searches =
  '--include --exclude --exclude-dir --color --line-number --count --files-with-matches --files-without-match --ignore-case ' +
  '--invert-match --only-matching --recursive --word-regexp --context --after-context --before-context --max-count ' +
  `--no-filename --with-filename --regexp -- ${help}`
const searchValues = '--include --exclude --exclude-dir --context --after-context --before-context --max-count --regexp'
const ripgrep =
  '--files --hidden --no-ignore --glob --iglob --type --type-not --count --count-matches --json --line-number ' +
  '--no-line-number --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --files-with-matches ' +
  '--files-without-match --max-count --max-depth --multiline --context --after-context --before-context --heading ' +
  '--no-heading --sort --stats --color --only-matching --invert-match --no-messages --pcre2 --column --trim --vimgrep --regexp -- ' +
  help
const ripgrepValues =
  '--glob --iglob --type --type-not --max-count --max-depth --context --after-context --before-context --sort --color --regexp'
const findValues =
  '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -atime -ctime -user -group -perm -links'
const findTests = `${findValues} -newer -empty -not -a -o -and -or -prune -print -print0 -xdev -mount -samefile -daystart -depth -P -H`
/** Print lines, delete lines, replace text: nothing that writes a file or runs a command. */
const sedScript =
  /^(?:(?:\d+|\$|\/(?:[^/\\\n]|\\[^/\n])*\/)(?:,(?:\d+|\$|\+\d+|\/(?:[^/\\\n]|\\[^/\n])*\/))?[pdq=]|s\/(?:[^/\\\n]|\\[^/\n])*\/(?:[^/\\\n]|\\[^/\n])*\/[gIp0-9]*)$/
/** jq reads other files if its program imports them. */
const jqReadsMore = /\b(?:import|include|modulemeta)\b/

/** Programs of binutils replace `@file` with the words in the file. */
const argumentsFile = /^@/

const grep: Omit<ProgramRow, 'words'> = {
  short: 'abcEFGHhIiLlnoPqrsvwxz',
  values: 'ABCme',
  long: searches,
  longValues: searchValues,
  more: 'any',
  first: 'text',
  firstIsFileWith: '-e --regexp',
}

/** Options that follow links (`-L`, `-R` of grep, `-r` of diff) are not listed: the links may lead out of the workspace. */
export const harmlessRows: readonly ProgramRow[] = [
  {
    words: 'ls',
    short: 'laAhR1trSdFinpsTuvXcgGB',
    long: `--all --almost-all --human-readable --recursive --color --group-directories-first --reverse --sort --time --time-style --full-time --directory --classify ${help}`,
    more: 'any',
  },
  { words: 'pwd', short: 'LP', more: 'none' },
  { words: 'echo', short: 'neE', more: 'text' },
  { words: 'printf', more: 'text' },
  { words: 'true', more: 'none' },
  { words: 'exit', more: 'text' },
  { words: 'false', more: 'none' },
  { words: 'sleep', more: 'text' },
  { words: 'seq', short: 'w', values: 'fs', more: 'text' },
  { words: 'expr', more: 'text' },
  {
    words: 'date',
    short: 'uRI',
    values: 'd',
    long: '--utc --date --iso-8601 --rfc-3339',
    longValues: '--date',
    more: 'text',
    first: /^\+/,
  },
  { words: 'whoami', more: 'none' },
  { words: 'groups', more: 'none' },
  { words: 'hostname', more: 'none' },
  { words: 'uptime', short: 'ps', more: 'none' },
  { words: 'nproc', long: '--all', more: 'none' },
  { words: 'free', short: 'bkmght', more: 'none' },
  { words: 'id', short: 'ugnGr', more: 'text' },
  { words: 'uname', short: 'asnrvmpio', long: '--all', more: 'none' },
  { words: 'ps', short: 'aAefuxljw', more: 'none' },
  { words: 'test', short: 'defhLnrswxzS', long: '-eq -ne -lt -le -gt -ge -nt -ot -ef', more: 'any' },
  { words: 'cat', short: 'AbeEnstTuv', long: `--number --show-all ${help}`, more: 'any' },
  { words: 'head', short: 'qvz', values: 'nc', long: `--lines --bytes --quiet --verbose ${help}`, more: 'any' },
  { words: 'tail', short: 'qvzfF', values: 'nc', long: `--lines --bytes --quiet --verbose --follow --retry ${help}`, more: 'any' },
  { words: 'wc', short: 'clmwL', long: `--bytes --lines --words --chars --max-line-length ${help}`, more: 'any' },
  { words: 'stat', short: 'fLt', values: 'c', long: `--format --printf --dereference --terse ${help}`, more: 'any' },
  { words: 'file', short: 'bikLh', long: `--brief --mime --mime-type --mime-encoding ${help}`, more: 'any' },
  {
    words: 'du',
    short: 'achskmxS',
    values: 'd',
    long: `--summarize --human-readable --max-depth --all --total --exclude --apparent-size ${help}`,
    more: 'any',
  },
  { words: 'df', short: 'ahHTikmlP', long: `--human-readable --inodes --print-type --total ${help}`, more: 'any' },
  { words: 'tree', short: 'adfhsDpugFQrtUvC', values: 'LIP', long: `--dirsfirst --gitignore --noreport ${help}`, more: 'any' },
  { words: 'grep', ...grep },
  { words: 'egrep', ...grep },
  { words: 'fgrep', ...grep },
  {
    words: 'rg',
    short: 'abcFHIilNnoqsSuvwxPU',
    values: 'ABCmegtT',
    long: ripgrep,
    longValues: ripgrepValues,
    more: 'any',
    first: 'text',
    firstIsFileWith: '-e --regexp --files',
  },
  { words: 'find', long: findTests, longValues: findValues, more: 'any' },
  {
    words: 'diff',
    short: 'abBcdEiNpqstTuUwyZ',
    long: `--unified --brief --side-by-side --ignore-all-space --color --new-file ${help}`,
    more: 'any',
    entersFolders: true,
  },
  { words: 'cmp', short: 'bls', more: 'any' },
  { words: 'comm', short: '123', more: 'any' },
  {
    words: 'sort',
    short: 'bcCdfghiMnRrsuVz',
    values: 'kt',
    long: `--numeric-sort --reverse --unique --key --field-separator --human-numeric-sort --version-sort --ignore-case --stable ${help}`,
    more: 'any',
  },
  { words: 'uniq', short: 'cdDiuz', values: 'fsw', more: 'one' },
  {
    words: 'cut',
    short: 'sz',
    values: 'bcdf',
    long: `--delimiter --fields --characters --bytes --complement --output-delimiter ${help}`,
    more: 'any',
  },
  { words: 'paste', short: 'sz', values: 'd', more: 'any' },
  { words: 'join', short: 'i', values: 'taev12', more: 'any' },
  { words: 'column', short: 'txn', values: 'sN', more: 'any' },
  { words: 'fold', short: 'bs', values: 'w', more: 'any' },
  { words: 'tr', short: 'cCdst', long: `--delete --squeeze-repeats --complement ${help}`, more: 'text' },
  { words: 'sed', short: 'nEr', long: '--quiet --regexp-extended', more: 'any', first: sedScript },
  { words: 'nl', values: 'bnwsvi', more: 'any' },
  { words: 'tac', more: 'any' },
  { words: 'rev', more: 'any' },
  { words: 'od', short: 'bcdox', values: 'AtNj', attached: 'w', more: 'any' },
  { words: 'strings', short: 'a', values: 'nt', more: 'any', refuses: argumentsFile },
  { words: 'basename', short: 'az', values: 's', more: 'text' },
  { words: 'dirname', short: 'z', more: 'text' },
  { words: 'realpath', short: 'emsLPz', long: '--relative-to --relative-base', more: 'any' },
  { words: 'readlink', short: 'efmnqsvz', more: 'any' },
  { words: 'which', short: 'a', more: 'text' },
  ...['cksum', 'md5sum', 'sha1sum', 'sha256sum', 'sha512sum'].map((words) => ({ words, short: 'btz', more: 'any' as const })),
  { words: 'base64', short: 'di', values: 'w', more: 'one' },
  {
    words: 'jq',
    short: 'cCeMnrRsSja',
    long: `--arg --argjson --raw-output --compact-output --slurp --sort-keys --null-input --exit-status --tab --indent ${help}`,
    more: 'any',
    first: 'text',
    refuses: jqReadsMore,
  },
  { words: 'mkdir', short: 'pv', values: 'm', long: '--parents --verbose', more: 'any', creates: true },
  { words: 'touch', short: 'acm', values: 'dt', long: '--no-create --date', longValues: '--date', more: 'any', creates: true },
]
