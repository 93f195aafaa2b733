// The window as a user gets it: a browser is found on the PATH, opens its own app window, and is authorized by the code in its file.
// The browser is real, started with an option for machines without a screen.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseLauncher, currentEnvironment, openWindow } from '../packages/cli/src/command/window.ts'
import { installedChromium } from './chromium.ts'
import { useTestDesktop } from './desktop-fixture.ts'
import { type Desktop, recordedAnswer, sendMessage } from './test-desktop.ts'

const openDesktop = useTestDesktop()
const patient = { timeout: 60_000 }

test('a browser that is found opens its own window, which is authorized and works', {
  timeout: 150_000,
}, async () => {
  const desktop = await openDesktop([{ text: 'Hello from here.' }])
  const program = join(desktop.folder, 'chromium')
  const pid = join(desktop.folder, 'pid')
  writeFileSync(program, script(pid), { mode: 0o755 })
  const way = chooseLauncher({
    ...currentEnvironment,
    platform: 'linux',
    isRoot: false,
    environment: { PATH: desktop.folder, DISPLAY: ':0' },
  })
  expect(way).toEqual({ kind: 'app', program })
  if (way.kind === 'none') throw new Error(way.because)
  const url = desktop.window.windowUrl()
  openWindow(url, desktop.folder, way)
  try {
    const port = join(desktop.folder, 'window-profile', 'DevToolsActivePort')
    await expect.poll(() => existsSync(port) && readFileSync(port, 'utf8').includes('\n'), patient).toBe(true)
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${readFileSync(port, 'utf8').split('\n', 1)[0]}`)
    const windows = () => browser.contexts().flatMap((context) => context.pages())
    await expect.poll(() => windows().map(placeOf), patient).toEqual([desktop.window.url])
    const [page] = windows()
    if (!page) throw new Error('no window was opened')
    // Without tabs and without an address bar.
    expect(await page.evaluate("matchMedia('(display-mode: standalone)').matches")).toBe(true)
    const arguments_ = readFileSync(`/proc/${readFileSync(pid, 'utf8').trim()}/cmdline`, 'utf8').split('\0')
    expect(arguments_).toContain(`--app=file://${desktop.folder}/window.html`)
    expect(arguments_.join(' ')).not.toContain(new URL(url).hash.slice('#code='.length))
    await page
      .getByRole('textbox', { name: 'Message' })
      .waitFor(patient)
      .catch(async () => expect.unreachable(`the window shows: ${await page.locator('body').innerText()}`))
    await sendMessage(page, 'Hello.')
    await recordedAnswer(page, 'Hello from here.').waitFor(patient)
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.close')
  } finally {
    await ended(pid, desktop)
  }
})

/** The address of the page without its query and fragment. */
function placeOf(page: Page): string {
  const { origin, pathname } = new URL(page.url())
  return `${origin}${pathname}`
}

/** Its own sandbox cannot run as root; only our own window is opened here. */
function script(pid: string): string {
  const flags = ['--headless=new', '--remote-debugging-port=0', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  return `#!/bin/sh\n[ -e '${pid}' ] || echo $$ > '${pid}'\nexec '${installedChromium()}' ${flags.join(' ')} "$@"\n`
}

/** Waits until the browser has ended, and kills it if it does not. */
async function ended(file: string, { folder }: Desktop): Promise<void> {
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8'))
  const isGone = () => !existsSync(`/proc/${pid}`)
  await expect
    .poll(isGone)
    .toBe(true)
    .catch(() => process.kill(-pid, 'SIGKILL'))
  await expect.poll(isGone, { message: `the browser of ${folder} does not end` }).toBe(true)
}
