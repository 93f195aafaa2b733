import { warningsFor } from '@tandem/contract/status'
import { expect, test } from 'vitest'
import { useTestDesktop } from './desktop-fixture.ts'

const openDesktop = useTestDesktop()

test('a window of a runtime that runs as root warns on every page, with the remedy, and cannot hide the warning', async () => {
  const desktop = await openDesktop([])
  const page = await desktop.page({ width: 1300 })
  const warnings = warningsFor(process.getuid?.() ?? null)
  const shown = () => page.getByRole('note').filter({ hasText: 'running as root' })
  for (const place of ['/', '/agents', '/diagnostics', '/settings']) {
    await page.goto(new URL(place, desktop.window.url).href)
    // The status has arrived: only then is it known what to warn about.
    await page.locator('main').waitFor()
    await expect.poll(() => shown().count()).toBe(warnings.length)
    expect(await shown().allInnerTexts()).toEqual(warnings.map(({ message, remedy }) => `${message} ${remedy}`))
    expect(await shown().getByRole('button').count()).toBe(0)
  }
})
