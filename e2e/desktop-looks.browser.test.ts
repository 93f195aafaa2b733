// What the system or a narrow window must not take away: marks with forced colors, whole words, and a way on from an empty page.
import { expect, test } from 'vitest'
import { memoryWords } from '../packages/desktop/src/strings/memory.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import { seriousFindings } from './accessibility.ts'
import { useTestDesktop } from './desktop-fixture.ts'

const open = useTestDesktop()

test('forced colors: only the current tab is marked, and icons and unavailable buttons stay readable', async () => {
  const desktop = await open([])
  const page = await desktop.page({ path: '/runs' })
  await page.getByRole('heading', { name: words.runs.title }).waitFor()
  await page.emulateMedia({ forcedColors: 'active' })
  const tabs = await page.evaluate<[string | null, boolean][]>(
    `[...document.querySelectorAll('.place-tab')].map((tab) =>
      [tab.getAttribute('aria-current'), getComputedStyle(tab).borderBottomColor === getComputedStyle(document.body).backgroundColor])`,
  )
  expect(tabs).toEqual([['page', false], ...Array(4).fill([null, true])])
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('button', { name: words.composer.send }).waitFor()
  const unavailable = `[...document.querySelectorAll('main button:disabled')].map((one) => getComputedStyle(one).opacity)`
  expect(await page.evaluate(unavailable)).toEqual(['1'])
  const faded = `[...document.querySelectorAll('svg.icon')].filter((icon) =>
    getComputedStyle(icon).color !== getComputedStyle(icon.parentElement).color).length`
  expect(await page.evaluate(faded)).toBe(0)
})

test('forced colors: the names in the picture of relationships stay readable', async () => {
  const desktop = await open([])
  const fact = { content: 'Ana Reis maintains the billing service.', memory_kind: 'relationship', subject: 'entity:Ana Reis' } as const
  const { commands } = desktop.runtime
  expect((await commands.call('agent_create', { name: 'Grapher' })).ok).toBe(true)
  const added = await commands.call('memory_add', { agent_id: null, ...fact })
  expect(added.ok).toBe(true)
  const page = await desktop.page({ path: '/runs' })
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await page.goto(new URL('/memory/graph', page.url()).href)
  await page.locator('canvas[data-painted="settled"]').waitFor()
  const colorOf = (name: string) => page.evaluate<string>(`getComputedStyle(document.querySelector('[data-color="${name}"]')).color`)
  expect(await colorOf('ink')).not.toBe(await colorOf('halo'))
})

test('a page that does not exist says so in plain words, and leads on', async () => {
  const desktop = await open([])
  const page = await desktop.page({ path: '/nowhere' })
  for (const [path, title] of [
    ['/nowhere', words.notFound],
    ['/c/gone', words.conversations.gone],
  ] as const) {
    await page.goto(new URL(path, page.url()).href)
    await page.getByRole('heading', { name: title }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: words.conversations.new }).click()
    await page.getByRole('heading', { name: words.welcome.title }).waitFor()
  }
  await page.goto(new URL('/memory/memories/gone', page.url()).href)
  await page.getByText(memoryWords.gone).waitFor()
  expect(await page.getByText('UUID').count()).toBe(0)
})

test('at 360 px, commands are described in whole sentences, and the palette shows whole names', async () => {
  const desktop = await open([])
  const page = await desktop.page({ width: 360 })
  const cut = `[...document.querySelectorAll('[role=option], [role=option] > :first-child')]
    .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).map((one) => one.textContent)`
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.pressSequentially('/')
  await page.getByRole('option').first().waitFor()
  expect(await page.evaluate(cut)).toEqual([])
  await box.fill('')
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open]').getByRole('option').first().waitFor()
  expect(await page.evaluate(cut)).toEqual([])
  expect(await seriousFindings(page)).toEqual([])
})
