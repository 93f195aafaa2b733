// What a new user does in the window: connect a model, send a message, approve a change.
import { existsSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { firstTask } from './first-minute-model.ts'
import { type StepClock, until } from './first-minute-steps.ts'

export interface WindowVisit {
  readonly page: Page
  /** The printed address. */
  readonly url: string
  /** Of the model. */
  readonly address: string
  /** The file that the agent writes. */
  readonly file: string
  /** Pictures of each step are saved in this folder. */
  readonly pictures?: string | undefined
}

export async function visitWindow({ page, url, address, file, pictures }: WindowVisit, clock: StepClock): Promise<void> {
  const look = (name: string) => async () => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/window-${clock.steps.length}-${name}.png` })
  }
  await page.goto(url)
  await page.getByRole('heading', { name: 'What can I help with?' }).waitFor()
  await clock.done('page painted', look('page'))

  await page.getByRole('link', { name: 'Add a model' }).click()
  const form = page.getByRole('region', { name: 'Model', exact: true })
  await form.getByLabel('Base URL').fill(address)
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByText('Choose a model.').waitFor()
  await look('tested')()
  await form.getByRole('combobox', { name: 'Default model' }).click()
  await form.getByRole('option', { name: firstTask.model }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Saved', { exact: true }).waitFor()
  await clock.done('model set up', look('model'))

  await page.getByRole('link', { name: 'New conversation' }).click()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(firstTask.message)
  await box.press('Enter')
  // In a home folder that never had one, the folder for agents is created first, if the user agrees.
  const create = page.getByRole('button', { name: 'Create it and send' })
  await create.or(page.getByRole('log')).first().waitFor()
  if (await create.isVisible()) {
    await look('folder')()
    await create.press('Enter')
  }
  await page.waitForURL(/\/c\//)
  await clock.done('message sent', look('sent'))

  await page.getByRole('log').getByText(firstTask.answer).waitFor()
  await clock.done('first words of the answer', look('answer'))

  const approval = page.getByRole('alertdialog')
  await approval.getByText(`Create ${firstTask.file}?`).waitFor()
  await look('approval')()
  await approval.getByRole('button', { name: 'Allow once' }).click()
  await until(() => existsSync(file), `${file} is written`)
  await clock.done('file changed after approval', look('changed'))
}
