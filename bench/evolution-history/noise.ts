import type { Random } from './random.ts'
import { type Call, call, edit, read, shell } from './run.ts'

const folders = ['src', 'docs', 'test', 'notes', 'data', 'content', 'scripts', 'config', 'lib', 'assets', 'templates']
const nouns =
  'address album anchor basket beacon border bridge budget button canvas carrier castle census chapter cinema circle clock coffee corner cycle dialog district editor engine family festival filter forest frame garden glossary harbor index island journal kernel ladder landing letter library lighthouse margin market matrix mirror module museum needle notice orchard orbit palette parcel pattern photo piano pixel planet player pocket queue quiz rabbit radio recipe record region river rocket roster saddle sample schedule season shelf signal socket station storage studio summer survey switch tariff theater ticket timer tower tunnel union vector village violin wallet weather window winter'.split(
    ' ',
  )
const endings = ['ts', 'md', 'json', 'css', 'py', 'txt', 'csv', 'html', 'toml', 'js']

const path = (random: Random) => {
  const [folder, noun] = [random.pick(folders), random.pick(nouns)]
  return random.chance(0.3)
    ? `${folder}/${random.pick(nouns)}/${noun}.${random.pick(endings)}`
    : `${folder}/${noun}.${random.pick(endings)}`
}
const two = (random: Random) => `${random.pick(nouns)} ${random.pick(nouns)}`

/** How often a shell command is drawn, and the command. What everyone runs all day is drawn often. */
const commands: [number, (random: Random) => [string, string]][] = [
  [14, () => ['git status --short', ' M notes.md']],
  [9, (r) => [`git diff ${path(r)}`, '@@ -1,4 +1,5 @@']],
  [8, (r) => [`git log --oneline -${r.int(3, 12)}`, 'a41c9 Add labels']],
  [8, (r) => [`ls ${r.pick(folders)}`, r.shuffle(nouns).slice(0, 3).join('\n')]],
  [6, (r) => [`cat ${path(r)}`, two(r)]],
  [5, (r) => [`grep -rn ${r.pick(nouns)} ${r.pick(folders)}`, `${path(r)}:${r.int(1, 300)}: ${two(r)}`]],
  [4, (r) => [`wc -l ${path(r)}`, String(r.int(4, 2000))]],
  [4, (r) => [`head -n ${r.int(3, 40)} ${path(r)}`, two(r)]],
  [4, () => ['npm test', '41 passing']],
  [3, (r) => [`npm run ${r.pick(['lint', 'build', 'dev', 'format', 'types'])}`, 'done']],
  [3, (r) => [`python3 ${path(r)}`, two(r)]],
  [3, (r) => [`node scripts/${r.pick(nouns)}.js`, two(r)]],
  [3, (r) => [`find . -name '*.${r.pick(endings)}' -newer ${path(r)}`, path(r)]],
  [2, (r) => [`du -sh ${r.pick(folders)}`, `${r.int(1, 900)}M`]],
  [2, (r) => [`git add ${path(r)}`, '']],
  [2, (r) => [`git commit -m "${two(r)}"`, '1 file changed']],
  [2, (r) => [`git switch ${r.pick(nouns)}`, 'Switched to branch']],
  [2, (r) => [`jq '.${r.pick(nouns)}' data/${r.pick(nouns)}.json`, `"${r.pick(nouns)}"`]],
  [2, (r) => [`sort data/${r.pick(nouns)}.csv | uniq -c`, `${r.int(1, 40)} ${r.pick(nouns)}`]],
  [1, (r) => [`mkdir -p ${r.pick(folders)}/${r.pick(nouns)}`, '']],
  [1, (r) => [`cp ${path(r)} ${path(r)}`, '']],
  [1, (r) => [`curl -fsS https://${r.pick(nouns)}.example.com/${r.pick(nouns)}`, two(r)]],
  [1, (r) => [`pdftotext assets/${r.pick(nouns)}.pdf -`, two(r)]],
  [1, (r) => [`convert assets/${r.pick(nouns)}.png -resize ${r.int(200, 1600)}x assets/${r.pick(nouns)}.jpg`, '']],
  [1, (r) => [`ffprobe assets/${r.pick(nouns)}.mp3`, `Duration: 00:0${r.int(1, 9)}:14`]],
  [1, (r) => [`sqlite3 data/${r.pick(nouns)}.db "select count(*) from ${r.pick(nouns)}"`, String(r.int(0, 9000))]],
  [1, (r) => [`make ${r.pick(nouns)}`, 'done']],
  [1, () => ['date', 'Tue 14:02']],
]

/** How often a tool is drawn, and the call. The argument names that the specification leaves open are guesses. */
const tools: [number, (random: Random) => Call][] = [
  [300, (r) => shell(...weighted(r, commands)(r))],
  [210, (r) => read(path(r), two(r))],
  [110, (r) => edit(path(r), two(r), two(r))],
  [85, (r) => call('fs.list', { path: r.chance(0.3) ? '.' : r.pick(folders) }, r.shuffle(nouns).slice(0, 4).join('\n'))],
  [80, (r) => call('fs.search', { path: r.chance(0.5) ? '.' : r.pick(folders), pattern: r.pick(nouns) }, `${r.int(0, 12)} matches`)],
  [40, (r) => call('fs.write', { path: path(r), content: `${two(r)}\n` }, 'written')],
  [20, (r) => call('script.run', { language: r.pick(['python', 'node', 'bash']), code: `print("${two(r)}")\n` }, two(r))],
  [16, (r) => call('web.search', { query: `${two(r)} ${r.pick(nouns)}` }, `${r.int(3, 10)} results`)],
  [14, (r) => call('web.fetch', { url: `https://${r.pick(nouns)}.example.org/${r.pick(nouns)}` }, two(r))],
  [12, (r) => call('todo.create', { title: two(r) }, 'created')],
  [12, (r) => call('todo.update', { id: `todo_${r.int(100, 999)}`, status: r.pick(['pending', 'in_progress']) }, 'updated')],
  [10, (r) => call('todo.complete', { id: `todo_${r.int(100, 999)}` }, 'completed')],
  [10, (r) => call('memory.search', { query: two(r) }, `${r.int(0, 4)} memories`)],
  [10, (r) => call('kb.search', { query: two(r) }, `${r.int(0, 6)} passages`)],
  [8, (r) => call('http.request', { method: 'GET', url: `https://${r.pick(nouns)}.example.com/api/${r.pick(nouns)}` }, '200')],
  [7, () => call('time.now', {}, '14:02')],
  [6, (r) => call('fs.move', { from: path(r), to: path(r) }, 'moved')],
  [5, (r) => call('fs.mkdir', { path: `${r.pick(folders)}/${r.pick(nouns)}` }, 'created')],
  [5, (r) => call('fs.delete', { path: `${r.pick(['notes', 'assets', 'docs'])}/${r.pick(nouns)}.${r.pick(endings)}` }, 'deleted')],
  [5, (r) => call('browser.open', { url: `https://${r.pick(nouns)}.example.org/` }, two(r))],
  [4, (r) => call('browser.click', { selector: `#${r.pick(nouns)}` }, 'clicked')],
  [3, (r) => call('browser.type', { selector: `#${r.pick(nouns)}`, text: two(r) }, 'typed')],
  [3, (r) => call('browser.screenshot', { path: `assets/${r.pick(nouns)}.png` }, '1280 × 800')],
  [3, (r) => call('memory.add', { memory_kind: r.pick(['semantic', 'preference', 'decision']), text: two(r) }, 'added')],
  [3, (r) => call('web.extract', { url: `https://${r.pick(nouns)}.example.net/`, selector: 'main' }, two(r))],
  [3, () => call('process.list', {}, '12 processes')],
  [2, () => call('todo.list', {}, '3 to-dos')],
  [2, (r) => call('browser.wait', { selector: `.${r.pick(nouns)}` }, 'visible')],
  [2, (r) => call('kb.ingest', { path: path(r) }, 'added')],
  [2, (r) => call('agent.delegate', { agent: r.pick(['Scout', 'Fink', 'Kim']), task: two(r) }, two(r))],
  [1, (r) => call('process.kill', { pid: r.int(1000, 60000) }, 'ended')],
  [1, (r) => call('browser.select', { selector: `#${r.pick(nouns)}`, value: r.pick(nouns) }, 'selected')],
  [1, () => call('browser.console_logs', {}, '')],
  [1, (r) => call('workflow.start', { workflow_id: `wf_${r.pick(nouns)}` }, 'started')],
  [1, (r) => call('mcp.calendar.list_events', { day: `2026-0${r.int(1, 9)}-1${r.int(0, 9)}` }, `${r.int(0, 5)} events`)],
]

function weighted<Item>(random: Random, table: [number, Item][]): Item {
  let left = random.next() * table.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, item] of table) {
    left -= weight
    if (left < 0) return item
  }
  throw new Error('The table is empty')
}

/** One call that belongs to nothing; one in fourteen fails. */
export function anyCall(random: Random): Call {
  const drawn = weighted(random, tools)(random)
  if (random.chance(0.93) || drawn.tool === 'time.now') return drawn
  return { ...drawn, state: 'failed', output: random.pick(['not found', 'exit code 1', 'no such file or directory', 'timed out']) }
}

/** Calls around one file, as the agent works without any routine. */
export function errandCalls(random: Random, file: string, how: 'l' | 's' | 'c' | 'w' | 'm'): Call[] {
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'
  const name = file.slice(file.lastIndexOf('/') + 1)
  const word = name.replace(/\..*$/, '')
  const list = call('fs.list', { path: folder }, name)
  const search = call('fs.search', { path: folder, pattern: word }, `${random.int(1, 9)} matches`)
  const look = read(file, two(random))
  const extra = Array.from({ length: random.int(0, 2) }, () => anyCall(random))
  if (how === 'l') return random.chance(0.2) ? [list, look, ...extra.slice(0, 1)] : [list, look]
  if (how === 's') return [search, look, ...extra]
  if (how === 'c') {
    const changed = edit(file, two(random), two(random))
    const after = random.chance(0.4) ? [weighted(random, tools)(random)] : []
    return random.pick([
      [search, look, changed, ...after],
      [look, changed, ...extra],
      [list, look, changed, ...after],
      [look, changed, edit(file, two(random), two(random))],
    ])
  }
  if (how === 'w') {
    const query = call('web.search', { query: `${word} ${two(random)}` }, `${random.int(3, 10)} results`)
    const page = call('web.fetch', { url: `https://${random.pick(nouns)}.example.org/${word}` }, two(random))
    const note = call('fs.write', { path: file, content: `${two(random)}\n` }, 'written')
    return random.pick([
      [query, page],
      [query, page, page, note],
      [query, note],
      [page, ...extra],
    ])
  }
  return random.shuffle([look, ...Array.from({ length: random.int(1, 5) }, () => anyCall(random))])
}

/** A line that a person changed by hand, for no reason that would come back. */
export function retouched(random: Random): { before: string; after: string } {
  const line = `${two(random)} ${random.pick(nouns)}`
  return { before: line, after: random.chance(0.5) ? `${line} ${random.pick(nouns)}` : two(random) }
}

const reading = /^(git (status|diff|log)|ls|cat|grep|wc|head|find|du|date|jq|sort|ffprobe|pdftotext)\b/

/** Whether a person would hesitate before approving it. */
export function changesSomething(made: Call): boolean {
  if (made.state !== 'ok') return false
  if (made.tool === 'shell.exec') return !reading.test(`${made.arguments.command}`)
  return ['script.run', 'fs.write', 'fs.edit', 'fs.move', 'fs.delete'].includes(made.tool)
}

export const anyChange = (random: Random) => call('fs.write', { path: path(random), content: `${two(random)}\n` }, 'written')

/** The person changes one argument of a call, for no reason that would come back. */
export function alter(random: Random, made: Call): void {
  const { path: file, to, command, code } = made.arguments
  const changed =
    typeof file === 'string'
      ? { path: file.replace(/[^/]+$/, `${random.pick(nouns)}.${random.pick(endings)}`) }
      : typeof to === 'string'
        ? { to: path(random) }
        : typeof command === 'string'
          ? { command: command.replace(/\S+$/, random.pick(nouns)) }
          : { code: `${code}# ${random.pick(nouns)}\n` }
  made.proposed = made.arguments
  made.arguments = { ...made.arguments, ...changed }
  made.state = 'edited'
}

export const projectName = (random: Random) => two(random).replace(' ', '-')
