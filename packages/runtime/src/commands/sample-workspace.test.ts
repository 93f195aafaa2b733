import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readWorkflowText } from '../workflow/text/workflow-text.ts'
import { makeSample } from './sample-workspace.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tandem-sample-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

test('its test finds the bug, and passes once it is fixed', () => {
  const made = makeSample(parent)
  if (!made.ok) throw new Error(made.message)
  const tried = () => spawnSync(process.execPath, ['--test'], { cwd: made.value, env: { PATH: process.env.PATH }, encoding: 'utf8' })
  expect(tried()).toMatchObject({ status: 1, stdout: expect.stringContaining("'Helo, Mara!'") })
  const file = join(made.value, 'greeting.js')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Helo', 'Hello'))
  expect(tried().status).toBe(0)
})

test('its workflows are listed in their README, and have no mistakes', () => {
  const made = makeSample(parent)
  if (!made.ok) throw new Error(made.message)
  const folder = join(made.value, 'workflows')
  const files = readdirSync(folder).filter((name) => name !== 'README.md')
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  expect([...readme.matchAll(/`([\w-]+\.yaml)`/g)].map(([, name]) => name).toSorted()).toEqual(files.toSorted())
  for (const name of files) expect(readWorkflowText(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ ok: true })
})

test('an existing folder, file or link of the same name is not changed', () => {
  mkdirSync(join(parent, 'tandem-sample'))
  writeFileSync(join(parent, 'tandem-sample-2'), 'mine')
  symlinkSync('/nowhere', join(parent, 'tandem-sample-3'))
  expect(makeSample(parent)).toEqual({ ok: true, value: join(parent, 'tandem-sample-4') })
  expect(readdirSync(join(parent, 'tandem-sample'))).toEqual([])
  for (let number = 5; number <= 100; number += 1) mkdirSync(join(parent, `tandem-sample-${number}`))
  expect(makeSample(parent)).toMatchObject({ ok: false, code: 'limit_reached' })
})
