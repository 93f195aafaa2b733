// Every page of a filled desktop, with its dialogs and menus, in light, dark and forced colors, at four widths; one sheet per page:
// node e2e/looks.ts FOLDER [PAGE …]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from './chromium.ts'
import { fillDesktop } from './filled-desktop.ts'
import { english, filledPages, openFilledPage } from './filled-pages.ts'
import { startServerProcess } from './server-process.ts'

const [into = '', ...wanted] = process.argv.slice(2)
if (into === '') throw new Error('Name the folder for the pictures: node e2e/looks.ts FOLDER [PAGE …]')
mkdirSync(into, { recursive: true })

const widths = [360, 768, 1440, 2560] as const
const looks = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const
const height = 900

const data = mkdtempSync(join(tmpdir(), 'tandem-looks-'))
const server = await startServerProcess({ BAAS_URL: `embedded:${data}`, LOG_LEVEL: 'warn' })
const browser = await launchChromium()
const filled = await fillDesktop(browser, server.url)
try {
  const page = await filled.desktop.page({ width: 1440, height })
  const sheet = await browser.newPage({ viewport: { width: 2200, height: 100 } })
  for (const one of filledPages(filled)) {
    if (wanted.length > 0 && !wanted.includes(one.name)) continue
    await page.setViewportSize({ width: 1440, height })
    // A page that is loaded in forced colors keeps some of them.
    await page.emulateMedia({ ...looks[0], reducedMotion: 'reduce' })
    await openFilledPage(page, filled.desktop.window.url, one, english)
    const shots: string[] = []
    for (const look of looks) {
      await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
      for (const width of widths) {
        await page.setViewportSize({ width, height })
        shots.push((await page.screenshot({ type: 'jpeg', quality: 80 })).toString('base64'))
      }
    }
    const picture = (shot: string) => `<img src="data:image/jpeg;base64,${shot}" style="height:440px" alt="">`
    await sheet.setContent(
      `<body style="margin:8px;background:#888;display:flex;flex-wrap:wrap;gap:8px;width:2190px">${shots.map(picture).join('')}</body>`,
    )
    await sheet.screenshot({ path: join(into, `${one.name}.png`), fullPage: true })
    console.log(one.name)
  }
} finally {
  await browser.close()
  await filled.stop()
  await server[Symbol.asyncDispose]()
  rmSync(data, { recursive: true, force: true })
}
