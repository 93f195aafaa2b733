import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { shortTemp } from './short-temp.ts'

test('folders of dead processes are removed; those of live processes, and everything else, are kept', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'tandem-short-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const { pid: dead } = spawnSync('true')
  const folders = [`tandem-b${dead}-abcdef`, `tandem-b${process.ppid}-abcdef`, `tandem-b${process.pid}-abcdef`, 'tandem-bother', 'tandem-1']
  for (const folder of folders) mkdirSync(join(parent, folder))
  writeFileSync(join(parent, `tandem-b${dead}-abcdef`, 'left'), '')
  const made = await shortTemp(parent)
  expect(readdirSync(parent).toSorted()).toEqual([...folders.slice(1), basename(made)].toSorted())
})
