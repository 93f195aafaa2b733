// A workspace on disk with its scope, and a folder outside that must not be reachable.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultToolPolicy, type SandboxMode } from '@tandem/contract/tool'
import { onTestFinished } from 'vitest'
import type { CallScope, Violation } from '../../../../src/call/scope.ts'

export interface TestScope extends CallScope {
  readonly outside: string
  readonly reports: Violation[]
}

export interface TestScopeOptions {
  readonly roots?: readonly string[]
  readonly globs?: readonly string[]
  readonly sandbox_mode?: SandboxMode
  readonly base?: string
  readonly tool?: string
}

export function testScope({
  roots = ['.'],
  globs = ['**'],
  sandbox_mode = 'workspace',
  base,
  tool = 'fs.read',
}: TestScopeOptions = {}): TestScope {
  const folder = realpathSync(mkdtempSync(join(base ?? tmpdir(), 'tandem-files-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true })
    return join(folder, name)
  }
  const reports: Violation[] = []
  return {
    ids: { agent_id: 'agent', conversation_id: 'conversation', run_id: 'run', call_id: 'call' },
    tool,
    workspace: at('ws'),
    temp: at('temp'),
    home: at('home'),
    outside: at('outside'),
    policy: { ...defaultToolPolicy('fs.read'), fs_scope: { roots: [...roots], globs: [...globs] } },
    sandbox_mode,
    reports,
    report: (violation) => reports.push(violation),
  }
}
