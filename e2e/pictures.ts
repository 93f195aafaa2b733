// Pictures of every page at three widths in both themes, each page on one sheet: node e2e/pictures.ts FOLDER [PAGE …]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { ScriptedTurn } from '../packages/runtime/src/model/test-model.ts'
import { launchChromium } from './chromium.ts'
import { type Desktop, openDesktop, say } from './desktop-window.ts'
import { clearEmbedded, startServerProcess } from './server-process.ts'

const [into = '', ...wanted] = process.argv.slice(2)
if (into === '') throw new Error('say which folder the pictures go into: node e2e/pictures.ts FOLDER [PAGE …]')
mkdirSync(into, { recursive: true })

const widths = [360, 900, 1440] as const
const height = 900

const script: ScriptedTurn[] = [
  { thinking: 'First I look at what is there.', text: 'I look around.', calls: [{ name: 'fs.list', arguments: { path: '.' } }] },
  { calls: [{ name: 'todo.create', arguments: { todos: [{ title: 'Put oat milk on the list' }, { title: 'Tell Mara' }] } }] },
  { text: 'Now I change it.', calls: [{ name: 'fs.write', arguments: { path: 'notes.md', content: '# Notes\n\nBuy oat milk.\n' } }] },
  { text: 'The list says **oat milk** now.\n\n```js\nconst milk = { kind: "oat", litres: 2 }\n```' },
  { text: 'I test it.', calls: [{ name: 'shell.exec', arguments: { command: 'npm test -- --reporter dot' } }] },
]

const browser = await launchChromium()
const data = mkdtempSync(join(tmpdir(), 'tandem-pictures-'))
const server = await startServerProcess({ BAAS_URL: `embedded:${data}`, LOG_LEVEL: 'warn' })
const desktop = await openDesktop(browser, script)
try {
  await takeAll(browser, desktop)
} finally {
  await browser.close()
  await desktop.stop()
  await server[Symbol.asyncDispose]()
  await clearEmbedded(data)
  rmSync(data, { recursive: true, force: true })
}

async function takeAll(from: Browser, { runtime, ...rest }: Desktop): Promise<void> {
  const at = { ...rest, runtime }
  await take(from, at, 'welcome', '/')
  const page = await at.page({ width: 1200 })
  await say(page, 'Put oat milk on the list.')
  await page.getByRole('button', { name: 'Yes, once' }).click()
  await page.locator('article[data-card=RunStatus]').getByText('done', { exact: true }).waitFor()
  const ended = new URL(page.url()).pathname
  await take(from, at, 'conversation', ended)
  await page.getByRole('link', { name: 'New conversation' }).click()
  await say(page, 'Test it.')
  await page.getByRole('alertdialog').waitFor()
  await take(from, at, 'approval', new URL(page.url()).pathname)
  await page.context().close()

  const { commands } = runtime
  const account = { cloud_url: server.url, email: 'mara@example.org', password: 'a long password', account: 'new' as const }
  const signedIn = await commands.call('account_sign_in', account)
  if (!signedIn.ok) throw new Error(signedIn.error.message)
  writeFileSync(join(at.folder, 'report.pdf'), 'a report')
  await commands.call('cloud_file_add', { path: join(at.folder, 'report.pdf') })
  await commands.call('task_create', { title: 'Tidy up the notes', description: 'On whichever device is there first.' })
  const runs = await commands.call('agent_run_list', {})
  const run = runs.ok ? runs.value.items.at(-1) : undefined
  const points = await commands.call('agent_run_list_checkpoints', { run_id: run?.run_id ?? '' })
  const point = points.ok ? points.value.items.findLast(({ restore_kind }) => restore_kind !== null) : undefined
  const agents = await commands.call('agent_list', {})
  const agent = agents.ok ? agents.value.items[0]?.agent_id : undefined
  await take(from, at, 'recovery', `/recovery/${run?.run_id}`)
  await take(from, at, 'restore', `/recovery/${run?.run_id}/${point?.checkpoint_id}`)
  await take(from, at, 'agent', `/agents/${agent}`)
  for (const place of ['todos', 'runs', 'agents', 'mcp', 'skills', 'devices', 'files', 'tasks', 'settings', 'diagnostics', 'map'])
    await take(from, at, place, `/${place}`)
  await take(from, at, 'palette', '/runs', async (one) => {
    await one.keyboard.press('Control+k')
    await one.getByRole('combobox').waitFor()
  })
}

async function take(from: Browser, at: Desktop, name: string, path: string, then?: (page: Page) => Promise<void>): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  const shots: string[] = []
  for (const dark of [false, true]) {
    for (const width of widths) {
      const page = await at.page({ path, width, height, dark })
      await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: dark ? 'dark' : 'light' })
      await page.getByRole('heading').first().waitFor({ state: 'attached' })
      for (let look = 0; look < 100 && (await page.getByText('Loading…').count()) > 0; look += 1) await page.waitForTimeout(100)
      await page.waitForTimeout(300)
      await then?.(page)
      shots.push((await page.screenshot({ type: 'jpeg', quality: 85 })).toString('base64'))
      await page.context().close()
    }
  }
  const sheet = await from.newPage({ viewport: { width: 1400, height: 100 } })
  const picture = (shot: string, index: number) =>
    `<img src="data:image/jpeg;base64,${shot}" style="height:440px;border:1px solid #8886;border-radius:6px" alt="${index}">`
  await sheet.setContent(
    `<body style="margin:12px;background:#888;display:flex;flex-wrap:wrap;gap:12px;width:1380px">${shots.map(picture).join('')}</body>`,
  )
  await sheet.screenshot({ path: join(into, `${name}.jpg`), type: 'jpeg', quality: 80, fullPage: true })
  await sheet.context().close()
  console.log(name)
}
