// Screenshots of the approval and the result of every built-in tool, in both themes, at 360 and 1440 px, and in a terminal, on a few
// sheets: node e2e/tool-pictures.ts FOLDER [FAMILY …]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { CommandParams, PendingApproval } from '../packages/contract/src/command/index.ts'
import { approvalTitle } from '../packages/contract/src/run/index.ts'
import { launchChromium } from './chromium.ts'
import { runInTerminal, terminalPieces } from './terminal-run.ts'
import { openDesktop, sendMessage, settled, waitForRunState } from './test-desktop.ts'
import { callsOf, messageFor, modelOf, openShop, writeWorkspace } from './tool-calls.ts'

const [into = '', ...wanted] = process.argv.slice(2)
if (into === '') throw new Error('specify the folder for the pictures: node e2e/tool-pictures.ts FOLDER [FAMILY …]')
mkdirSync(into, { recursive: true })

const themes = ['light', 'dark'] as const
/** So tall that nothing has to scroll. */
const height = 6_000
const columnsOfWidth = { 360: 4, 1440: 2 } as const
type Width = keyof typeof columnsOfWidth
const widths = [360, 1440] as const satisfies readonly Width[]

const tallest = 1_500
const gap = 10
const caption = 16

/** The colors of common terminals. */
const terminalColors = {
  dark: 'pre { background: #1e1e1e; color: #ddd } .red { color: #f14c4c } .green { color: #23d18b } .yellow { color: #e5e510 } .cyan { color: #29b8db }',
  light:
    'pre { background: #fff; color: #222 } .red { color: #cd3131 } .green { color: #107c10 } .yellow { color: #949800 } .cyan { color: #0598bc }',
}

interface Shot {
  readonly name: string
  readonly png: Buffer
  readonly width: number
  readonly height: number
}

const shop = await openShop()
Object.assign(process.env, { TANDEM_SEARCH_PROVIDER: 'searxng', TANDEM_SEARCH_URL: `http://${shop.host}` })
const calls = callsOf(`http://${shop.host}`)
const browser = await launchChromium('whole')
const desktop = await openDesktop(browser, modelOf(calls), (_, workspace) => writeWorkspace(workspace))
const sheets = new Map<string, Shot[]>()
try {
  await prepareAgent()
  for (const family of Object.keys(calls)) {
    if (wanted.length > 0 && !wanted.includes(family)) continue
    writeWorkspace(desktop.workspace)
    await inWindow(family)
    writeWorkspace(desktop.workspace)
    await inTerminal(family)
  }
  for (const [name, shots] of sheets) await writeSheets(name, shots)
} finally {
  await browser.close()
  await desktop.stop()
  shop.close()
}
for (const complaint of desktop.consoleErrors) console.log(`the window reported: ${complaint}`)

async function done<Value>(answer: Promise<{ ok: true; value: Value } | { ok: false; error: { message: string } }>): Promise<Value> {
  const settledAnswer = await answer
  if (!settledAnswer.ok) throw new Error(settledAnswer.error.message)
  return settledAnswer.value
}

/** Every tool needs approval, and may reach the shop. */
async function prepareAgent(): Promise<void> {
  const { commands } = desktop.runtime
  const { agent_id } = (await done(commands.call('agent_create', { name: 'Agent' }))).agent
  for (const { tool } of (await done(commands.call('tool_list', {}))).items.filter(({ tool }) => tool !== 'ask_user')) {
    const { policy } = (await done(commands.call('agent_tool_policy_get', { agent_id, tool }))).policy
    const network_scope = { hosts: policy.network_scope.hosts.length > 0 ? [shop.host] : [] }
    await done(commands.call('agent_tool_policy_set', { agent_id, tool, policy: { ...policy, approval_mode: 'required', network_scope } }))
  }
  const { review_sha256 } = await done(commands.call('skill_get', { name: 'tidy-notes' }))
  const binding = { agent_id, skill_name: 'tidy-notes', binding_policy: 'on_demand', reviewed_sha256: review_sha256 } as const
  await done(commands.call('skill_bind', binding))
}

async function inWindow(family: string): Promise<void> {
  const { commands } = desktop.runtime
  const first = await desktop.page({ width: 1440, height })
  await sendMessage(first, messageFor(family))
  const path = new URL(first.url()).pathname
  const pages: Readonly<Record<Width, Page>> = { 1440: first, 360: await desktop.page({ path, width: 360, height }) }
  const seen = new Set<string>()
  const tools = (calls[family] ?? []).map((call) => call(() => '')[0])
  for (const tool of tools) {
    const pending = await nextRequest(tool, seen)
    const shown = pending.kind === 'approval' ? approvalTitle(pending.approval) : pending.question.question
    for (const width of widths) {
      const page = pages[width]
      const box = page.locator('.dock-box').filter({ hasText: shown })
      await box.waitFor()
      await take(page, width, box, `${tool}: approval`)
    }
    const answer = answerTo(pending)
    await done(commands.call('agent_run_resume', { run_id: pending.run_id, answer }))
  }
  for (const width of widths) {
    const page = pages[width]
    await waitForRunState(page, 'Done')
    const cards = page.locator('article:is([data-card=ToolCall], [data-card=QuestionCard])')
    await page.locator('article[data-mode=auto_open]').first().waitFor({ state: 'detached' })
    for (const [index, tool] of tools.entries()) {
      const card = cards.nth(index)
      await card.getByRole('button').first().click()
      await page.mouse.move(0, 0)
      await take(page, width, card, `${tool}: result`)
    }
    await page.context().close()
  }
}

type Request =
  | ({ readonly kind: 'approval' } & PendingApproval)
  | { readonly kind: 'question'; readonly run_id: string; readonly question: { readonly question_id: string; readonly question: string } }

function answerTo(pending: Request): CommandParams<'agent_run_resume'>['answer'] {
  if (pending.kind === 'question') {
    return { kind: 'question', question_id: pending.question.question_id, answer: { chosen: ['oat'], text: null } }
  }
  const { approval_id, fingerprint } = pending.approval
  return { kind: 'approval', approval_id, fingerprint, answer: 'once' }
}

/** The next approval, or the question of ask_user. */
async function nextRequest(tool: string, seen: Set<string>): Promise<Request> {
  const { commands } = desktop.runtime
  for (let look = 0; look < 600; look += 1) {
    const [approval] = (await done(commands.call('approval_list', {}))).items
    const [asked] = (await done(commands.call('question_list', {}))).items
    const id = approval?.approval.approval_id ?? asked?.question.question_id ?? ''
    if (id !== '' && !seen.has(id)) {
      seen.add(id)
      if (approval) return { kind: 'approval', ...approval }
      if (asked) return { kind: 'question', ...asked }
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${tool} did not ask for approval`)
}

async function take(page: Page, width: Width, box: ReturnType<Page['locator']>, name: string): Promise<void> {
  if ((await box.locator('.code-block').count()) > 0) await box.locator('[data-tint]').first().waitFor()
  for (const theme of themes) {
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: theme })
    await settled(page, async () => JSON.stringify(await box.boundingBox()))
    const { width: wide = 0, height: tall = 0 } = (await box.boundingBox()) ?? {}
    add(`window-${width}-${theme}`, { name, png: await box.screenshot(), width: wide, height: tall })
  }
  const overflowing = await box.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      // These are meant to be cut; inline elements have no width.
      .filter((one) => !one.matches('.card-text, .truncate') && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${one.tagName.toLowerCase()}.${one.className}: ${one.scrollWidth} > ${one.clientWidth}`),
  )
  for (const one of overflowing) console.log(`${name} at ${width} px is wider than its box: ${one}`)
}

async function inTerminal(family: string): Promise<void> {
  const printed = await runInTerminal(messageFor(family), { home: join(desktop.folder, 'home'), workspace: desktop.workspace })
  writeFileSync(join(into, `terminal-${family}.ansi`), printed)
  const page = await browser.newPage({ viewport: { width: 740, height: 100 } })
  for (const theme of themes) {
    const colors = theme === 'dark' ? terminalColors.dark : terminalColors.light
    for (const piece of terminalPieces(printed)) {
      await page.setContent(`<style>${colors} pre { margin: 0; padding: 6px; font: 12px/1.35 monospace; white-space: pre-wrap; overflow-wrap: anywhere }
        .bold { font-weight: bold } .dim { opacity: .6 }</style><body style="margin:0"><pre style="width:100ch">${piece}</pre></body>`)
      const box = page.locator('pre')
      const { width = 0, height: tall = 0 } = (await box.boundingBox()) ?? {}
      add(`terminal-${theme}`, { name: family, png: await box.screenshot(), width, height: tall })
    }
  }
  await page.context().close()
}

function add(sheet: string, shot: Shot): void {
  sheets.set(sheet, [...(sheets.get(sheet) ?? []), shot])
}

/** Column by column; a full sheet is followed by another one. */
async function writeSheets(name: string, shots: readonly Shot[]): Promise<void> {
  const columns = name.startsWith('window-360') ? columnsOfWidth[360] : 2
  const wide = columns === 2 ? 760 : 350
  const pages: string[][] = [['']]
  let filled = 0
  for (const { png, name: text, ...size } of shots) {
    const scale = Math.min(1, wide / size.width, (tallest - caption) / size.height)
    const tall = size.height * scale + gap + caption
    if (filled > 0 && filled + tall > tallest) {
      filled = 0
      if (pages.at(-1)?.length === columns) pages.push([''])
      else pages.at(-1)?.push('')
    }
    const column = pages.at(-1)
    const image = `<img src="data:image/png;base64,${png.toString('base64')}" style="width:${size.width * scale}px" alt="">`
    column?.push(`${column.pop() ?? ''}<figure><figcaption>${text}</figcaption>${image}</figure>`)
    filled += tall
  }
  const sheet = await browser.newPage({ viewport: { width: columns * (wide + gap) + gap, height: 100 } })
  for (const [index, all] of pages.entries()) {
    await sheet.setContent(`<style>body { margin: 0; padding: ${gap}px; display: flex; gap: ${gap}px; align-items: flex-start; background: #9a9a9a }
      div { width: ${wide}px } figure { margin: 0 0 ${gap}px } figcaption { font: 11px/${caption}px sans-serif } img { display: block }</style>
      ${all.map((column) => `<div>${column}</div>`).join('')}`)
    const file = `${name}-${index + 1}.png`
    await sheet.screenshot({ path: join(into, file), fullPage: true })
    console.log(file)
  }
  await sheet.context().close()
}
