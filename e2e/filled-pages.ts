// Every page of a filled desktop, with its dialogs and menus. The tests of languages and accessibility open each of them, and the
// screenshots show them.
import type { Locator, Page } from 'playwright-core'
import { pageNames } from '../packages/desktop/src/shell/pages.ts'
import { branchWords, queueWords } from '../packages/desktop/src/strings/branching.ts'
import { mcpWords } from '../packages/desktop/src/strings/mcp.ts'
import { navigationWords } from '../packages/desktop/src/strings/navigation.ts'
import { words } from '../packages/desktop/src/strings/window.ts'
import type { FilledDesktop } from './filled-desktop.ts'

/** A text of the window, in its language. */
export type Say = (english: string) => string

export interface FilledPage {
  readonly name: string
  readonly path: string
  /** Opens a part of the page. */
  show?(page: Page, say: Say): Promise<void>
}

export const english: Say = (text) => text

const patience_ms = 60_000
const dialog = (page: Page) => page.locator('dialog[open]')
const button = (page: Page | Locator, say: Say, name: string) => page.getByRole('button', { name: say(name), exact: true })

/** The sidebar of a narrow window is closed at first. */
async function openSidebar(page: Page, say: Say): Promise<void> {
  const menu = button(page, say, words.menu)
  if (await menu.isVisible()) await menu.click()
}

async function openLineMenu(page: Page, say: Say): Promise<void> {
  await openSidebar(page, say)
  const line = page.locator(`nav[aria-label="${say(words.conversations.title)}"] button[aria-expanded]`).first()
  await line.hover()
  await line.click()
}

async function typeInComposer(page: Page, text: string): Promise<void> {
  const box = page.locator('form textarea').last()
  // A draft of an earlier visit is kept.
  await box.fill('')
  await box.pressSequentially(text)
  await page.getByRole('listbox').getByRole('option').first().waitFor()
}

export function filledPages({ at }: Pick<FilledDesktop, 'at'>): readonly FilledPage[] {
  const sections = [
    ...['/memory/profile', '/memory/graph', '/memory/reviews', '/memory/options', '/knowledge/search', '/workflows/new/note'],
    ...['outcomes', 'patterns', 'reflections', 'memories', 'candidates'].map((name) => `/diagnostics/learning/${name}`),
    ...['recommendations', 'gaps', 'traces'].map((name) => `/diagnostics/evolution/${name}`),
  ]
  const gone = ['/nowhere', '/c/gone', '/agents/gone', '/mcp/gone', '/skills/gone', '/memory/memories/gone', '/knowledge/sources/gone']
  return [
    { name: 'welcome', path: '/' },
    ...Object.entries(at).map(([name, path]) => ({ name, path })),
    ...[...pageNames.map((name) => `/${name}`), ...sections, ...gone].map((path) => ({ name: path.slice(1).replaceAll('/', '-'), path })),
    ...parts(at),
  ]
}

/** For the message of a failed test. */
const threadState = `(() => {
  const log = document.querySelector('[role=log]')
  return [location.pathname, log.scrollTop, log.scrollHeight, log.clientHeight, log.innerText].join(' ')
})()`

function parts(at: FilledDesktop['at']): readonly FilledPage[] {
  return [
    {
      name: 'cards',
      path: at.ended,
      async show(page) {
        for (const kind of ['Thinking', 'ToolCall', 'TodoCard', 'RunStatus']) {
          for (const card of await page.locator(`article[data-card=${kind}] > :first-child button[aria-expanded=false]`).all())
            await card.click()
        }
      },
    },
    {
      name: 'undone',
      path: at.restored,
      // A narrow window shows only the end of the thread: read upwards, and again from the end if a slow frame skipped the rows.
      async show(page) {
        const undone = page.locator('.set-aside').first()
        for (const until = Date.now() + patience_ms; (await undone.count()) === 0 && Date.now() < until; ) {
          await page.evaluate(`(async () => {
            const log = document.querySelector('[role=log]')
            log.scrollTop = log.scrollTop > 0 ? log.scrollTop - 200 : log.scrollHeight
            for (let count = 0; count < 3; count += 1) await new Promise(requestAnimationFrame)
          })()`)
        }
        if ((await undone.count()) === 0) throw new Error(`nothing is shown as undone: ${await page.evaluate(threadState)}`)
        await undone.scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'palette',
      path: '/runs',
      async show(page) {
        await page.keyboard.press('Control+k')
        await dialog(page).getByRole('combobox').waitFor()
      },
    },
    {
      name: 'palette-nothing',
      path: '/runs',
      async show(page) {
        await page.keyboard.press('Control+k')
        await dialog(page).getByRole('combobox').fill('zzzz')
      },
    },
    {
      name: 'shortcuts',
      path: '/runs',
      async show(page) {
        await page.locator('main h1').first().waitFor()
        await page.keyboard.press('?')
        await dialog(page).waitFor()
      },
    },
    { name: 'conversation-menu', path: '/runs', show: openLineMenu },
    {
      name: 'delete-dialog',
      path: '/runs',
      async show(page, say) {
        await openLineMenu(page, say)
        await button(page, say, navigationWords.list.delete).click()
        await dialog(page)
          .getByRole('button', { name: say(navigationWords.deleting.confirm) })
          .or(dialog(page).getByRole('button', { name: say(navigationWords.deleting.confirmStop) }))
          .waitFor()
      },
    },
    {
      name: 'selection',
      path: '/runs',
      async show(page, say) {
        await openLineMenu(page, say)
        await button(page, say, navigationWords.list.select).click()
      },
    },
    {
      name: 'deleted',
      path: '/runs',
      async show(page, say) {
        await openSidebar(page, say)
        await button(page, say, navigationWords.list.views.deleted).click()
        await page.getByText('Fill in the keys.').first().waitFor()
      },
    },
    {
      name: 'folder',
      path: at.ended,
      async show(page) {
        await page.locator('main button[aria-haspopup=dialog]').first().click()
        await dialog(page).getByRole('button').first().waitFor()
      },
    },
    { name: 'commands', path: at.ended, show: (page) => typeInComposer(page, '/') },
    { name: 'mention', path: at.ended, show: (page) => typeInComposer(page, '@') },
    {
      name: 'edit-message',
      path: at.failed,
      async show(page, say) {
        const message = page.locator('[data-role=user]').first()
        await message.hover()
        await button(message, say, branchWords.edit).click()
      },
    },
    {
      name: 'restore-files',
      path: at.ended,
      async show(page, say) {
        const message = page.locator('[data-role=assistant]').last()
        await message.hover()
        await button(message, say, branchWords.regenerate).click()
        await button(dialog(page), say, branchWords.files.keep).waitFor()
      },
    },
    {
      name: 'queue',
      path: at.running,
      async show(page, say) {
        await button(page, say, queueWords.edit).first().click()
      },
    },
    {
      name: 'find',
      path: at.ended,
      async show(page) {
        await page.keyboard.press('Control+f')
        await page.keyboard.type('milk')
      },
    },
    {
      name: 'policy',
      path: at.agent,
      async show(page, say) {
        await page.locator(`button[aria-label*="fs.write"]`).first().click()
        await button(page, say, words.save).last().scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'comment',
      path: at.changes,
      async show(page) {
        await page.locator('[data-row] [data-number]:visible').first().click()
      },
    },
    {
      name: 'details',
      path: at.approval,
      async show(page) {
        await page.getByRole('alertdialog').locator('summary').first().click()
      },
    },
    {
      name: 'sign-in-begun',
      path: at.signIn,
      async show(page, say) {
        await button(page, say, mcpWords.signIn.begin).click()
        await button(page, say, mcpWords.signIn.cancel).waitFor()
      },
    },
    {
      name: 'folder-servers',
      path: at.ended,
      async show(page) {
        await page.locator('[data-folder-servers] a').click()
        await page.locator('[data-mcp-folder]').waitFor()
      },
    },
    { name: 'folds', path: '/settings', show: openAllFolds },
    { name: 'folds-mcp', path: '/mcp', show: openAllFolds },
    { name: 'folds-server', path: at.server, show: openAllFolds },
    { name: 'folds-diagnostics', path: '/diagnostics', show: openAllFolds },
  ]
}

/** Folds may contain folds. */
async function openAllFolds(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let closed; (closed = document.querySelectorAll('main details:not([open])')).length > 0; ) {
      for (const fold of closed) fold.open = true
      for (let count = 0; count < 4; count += 1) await new Promise(requestAnimationFrame)
    }
  })()`)
}

/** Opens it, and waits until it is loaded. */
export async function openFilledPage(page: Page, origin: string, { path, show }: FilledPage, say: Say): Promise<void> {
  await page.goto(new URL(path, origin).href)
  const isLoaded = `(() => {
    const shown = document.querySelector('main')?.innerText ?? ''
    return shown.trim() !== '' && !shown.includes(${JSON.stringify(say(words.loading))}) && !document.querySelector('main .motion-safe\\\\:animate-pulse')
  })()`
  for (const until = Date.now() + patience_ms; !(await page.evaluate(isLoaded)); await page.waitForTimeout(50)) {
    if (Date.now() > until) throw new Error(`${path} is still loading`)
  }
  await show?.(page, say)
}
