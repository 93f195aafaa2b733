import { warningsFor } from '@tandem/contract/status'
import { expect, test } from 'vitest'
import { desktopsOfTests } from './desktop-stage.ts'

const openDesktop = desktopsOfTests()

test('a window over a runtime of root says so on every page, with what to do, and offers no way to hide it', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ width: 1300 })
  const warnings = warningsFor(process.getuid?.() ?? null)
  const shown = () => page.getByRole('note').filter({ hasText: 'running as root' })
  for (const place of ['/', '/agents', '/diagnostics', '/settings']) {
    await page.goto(new URL(place, desktop.window.url).href)
    // The status has come: only then is it known what to warn about.
    await page.locator('main').waitFor()
    await expect.poll(() => shown().count()).toBe(warnings.length)
    expect(await shown().allInnerTexts()).toEqual(warnings.map(({ message, remedy }) => `${message} ${remedy}`))
    expect(await shown().getByRole('button').count()).toBe(0)
  }
})
