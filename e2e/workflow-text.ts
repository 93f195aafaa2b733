// The editor of workflows: a text field that is replaced as soon as the editor with completion is loaded.
import type { Locator, Page } from 'playwright-core'

export async function workflowEditor(page: Page): Promise<Locator> {
  await page.locator('.cm-content').waitFor()
  return page.getByRole('textbox', { name: 'Workflow as text' })
}

/** Types over all of the text. */
export async function writeText(editor: Locator, text: string): Promise<void> {
  await editor.press('ControlOrMeta+a')
  await editor.page().keyboard.insertText(text)
}

export async function textIn(editor: Locator): Promise<string> {
  return (await editor.locator('.cm-line').allTextContents()).join('\n')
}

/** The line of the text that the cursor is in. */
export async function lineOfCursor(page: Page): Promise<number> {
  return Number(await page.locator('.cm-activeLineGutter').innerText())
}
