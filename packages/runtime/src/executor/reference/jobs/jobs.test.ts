// Jobs of a real executor over real sockets, in the real sandbox.
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobReport, type JobRequest, jobFilePath, jobLimits, jobPath } from '@tandem/contract/executor'
import { JobReport as JobReportSchema } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../../../test/support/clock/test-clock.ts'
import { limits } from '../../../sandbox/command/limits.ts'
import { type ReferenceOptions, startReferenceExecutor } from '../reference-executor.ts'
import { jobFolder } from './job-record.ts'

let folder: string
let close: () => Promise<void> = async () => undefined
let url = ''
let token = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-jobs-'))
})
afterEach(async () => {
  await close()
  close = async () => undefined
  rmSync(folder, { recursive: true, force: true })
})

async function start(change: Partial<ReferenceOptions> = {}): Promise<void> {
  const started = await startReferenceExecutor({
    ...{ folder, listen: '127.0.0.1', port: 0, hosts: [], plain: true, capabilities: [], renew_token: false, allow_root: true },
    ...{ environment: { PATH: process.env.PATH, HOME: process.env.HOME }, uid: null },
    ...change,
  })
  if (!started.ok) throw new Error(started.problem)
  url = started.executor.url
  token = started.executor.new_token ?? token
  close = started.executor.stop
}

async function ask(method: string, path: string, body?: string | Buffer): Promise<{ readonly status: number; readonly body: Buffer }> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) }
    const sent = request(`${url}${path}`, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const id = (name: string) => createHash('sha256').update(name).digest('hex')
const bash = (command: string, change: Partial<JobRequest> = {}): JobRequest => ({
  ...{ programs: ['bash'], source: null, args: ['-c', command], timeout_seconds: 60, send_files: [], fetch_files: [] },
  ...change,
})
const put = (job_id: string, job: object) => ask('PUT', jobPath(job_id), JSON.stringify(job))
const problem = ({ status, body }: { readonly status: number; readonly body: Buffer }) => [status, JSON.parse(body.toString()).code]

async function report(job_id: string): Promise<JobReport> {
  const { body } = await ask('GET', jobPath(job_id))
  const value: unknown = JSON.parse(body.toString())
  if (!Check(JobReportSchema, value)) throw new Error(body.toString())
  return value
}

async function over(job_id: string): Promise<JobReport> {
  await expect.poll(async () => (await report(job_id)).state).not.toMatch(/receiving|running/)
  return await report(job_id)
}

const output = async (job_id: string, from = 0) => (await ask('GET', jobPath(job_id, `/output?from=${from}`))).body.toString()

test('a job runs once in the sandbox: its output, its exit code, and the same answer to a second start', async () => {
  await start()
  const job = bash('echo one; echo two >&2; echo x >> count; exit 3')
  const started = JSON.parse((await put(id('a'), job)).body.toString())
  expect(started).toMatchObject({ job_id: id('a'), state: 'running', sandbox: 'os' })
  expect((await output(id('a'))).split('\n').toSorted()).toEqual(['', '[stderr] two', 'one'])
  const ended = await over(id('a'))
  expect(ended).toMatchObject({ state: 'ended', exit_code: 3, signal: null, timed_out: false, output_bytes: 17, violations: [] })
  expect(JSON.parse((await put(id('a'), job)).body.toString())).toEqual(ended)
  expect(readFileSync(join(jobFolder(join(folder, 'jobs'), id('a')).work, 'count'), 'utf8')).toBe('x\n')
  const other = await put(id('a'), bash('echo other'))
  expect([...problem(other), JSON.parse(other.body.toString()).message]).toEqual([
    409,
    'other_content',
    `job ${id('a')} was already started with other content`,
  ])
})

test('a job sees neither the key of the executor nor other jobs, and writes only in its folder', async () => {
  await start()
  await put(id('first'), bash('echo secret > mine'))
  await over(id('first'))
  const outside = join(tmpdir(), `tandem-outside-${process.pid}`)
  await put(
    id('spy'),
    bash(
      `cat ${folder}/identity.json ${folder}/jobs/${id('first')}/work/mine; echo x > ${outside}; echo y > ../job.json; ls ${folder}/jobs; pwd; echo ok > here; cat here`,
    ),
  )
  await over(id('spy'))
  const text = await output(id('spy'))
  expect([text.includes('PRIVATE KEY'), text.includes('secret'), existsSync(outside)]).toEqual([false, false, false])
  expect(text).toContain('\nok\n')
  expect((await report(id('spy'))).state).toBe('ended')
})

test('output is read from any offset, and an offset beyond it is refused', async () => {
  await start()
  await put(id('a'), bash('printf 0123456789'))
  await over(id('a'))
  expect([await output(id('a')), await output(id('a'), 4), await output(id('a'), 10)]).toEqual(['0123456789', '456789', ''])
  expect(problem(await ask('GET', jobPath(id('a'), '/output?from=11')))).toEqual([416, 'out_of_range'])
  for (const wrong of ['-1', '1e3', '1.5', 'x', '', '99999999999999999999'])
    expect((await ask('GET', jobPath(id('a'), `/output?from=${wrong}`))).status).toBe(404)
})

test('a job is canceled with everything it started, and deleted only when it is over', async () => {
  await start()
  await put(id('a'), bash('echo begun; sleep 1000 & sleep 1000'))
  await expect.poll(async () => (await report(id('a'))).output_bytes).toBe(6)
  expect(problem(await ask('DELETE', jobPath(id('a'))))).toEqual([409, 'not_possible'])
  const canceled = JSON.parse((await ask('POST', jobPath(id('a'), '/cancel'))).body.toString())
  expect(canceled).toMatchObject({ state: 'canceled', exit_code: null, output_bytes: 6 })
  expect(JSON.parse((await ask('POST', jobPath(id('a'), '/cancel'))).body.toString())).toEqual(canceled)
  expect((await ask('DELETE', jobPath(id('a')))).status).toBe(200)
  expect(problem(await ask('GET', jobPath(id('a'))))).toEqual([404, 'unknown_job'])
  expect(readdirSync(join(folder, 'jobs'))).toEqual([])
})

test('a job that takes too long is ended', async () => {
  await start()
  await put(id('a'), bash('sleep 1000', { timeout_seconds: 1 }))
  expect(await over(id('a'))).toMatchObject({ state: 'ended', timed_out: true })
})

test('a program that is not installed fails the job, and a request that is not valid starts none', async () => {
  await start()
  await put(id('a'), bash('', { programs: ['no-such-program'] }))
  expect(await over(id('a'))).toMatchObject({ state: 'failed', message: 'no-such-program is not installed on the executor' })
  for (const wrong of [
    {},
    { ...bash(''), programs: ['../bash'] },
    { ...bash(''), fetch_files: ['../x'] },
    { ...bash(''), timeout_seconds: 0 },
    { ...bash(''), more: 1 },
  ])
    expect(problem(await put(id('b'), wrong))).toEqual([400, 'invalid'])
  for (const path of [
    '/jobs/',
    '/jobs/x',
    `/jobs/${id('a').toUpperCase()}`,
    jobPath(id('a'), '/files/../job.json'),
    jobPath(id('a'), '/files/%2e%2e%2fjob.json'),
  ])
    expect((await ask('GET', path)).status).toBe(404)
  expect((await ask('PUT', jobPath(id('b')), 'x'.repeat(jobLimits.request_bytes + 1)).catch(() => ({ status: 413 }))).status).toBe(413)
  expect(readdirSync(join(folder, 'jobs'))).toEqual([id('a')])
})

const declared = (path: string, text: string) => ({ path, bytes: Buffer.byteLength(text), sha256: id(text) })

test('a job starts with the last of its files, and returns only files that it names', async () => {
  await start()
  const secret = join(folder, 'identity.json')
  const job = bash(
    `cat in/a.txt b; cat in/a.txt > out.txt; mkdir d; echo z > d/z; ln -s ${secret} link; ln -s / root; mkfifo pipe; echo no > other`,
    {
      send_files: [declared('in/a.txt', 'alpha\n'), declared('b', 'beta\n')],
      fetch_files: ['out.txt', 'd/z', 'link', 'root/etc/passwd', 'pipe', 'missing', 'd'],
    },
  )
  expect(JSON.parse((await put(id('a'), job)).body.toString())).toMatchObject({ state: 'receiving', missing_files: ['in/a.txt', 'b'] })
  expect(problem(await ask('PUT', jobFilePath(id('a'), 'c'), 'gamma'))).toEqual([404, 'unknown_file'])
  expect(problem(await ask('PUT', jobFilePath(id('a'), 'b'), 'wrong'))).toEqual([422, 'wrong_file'])
  expect(problem(await ask('GET', jobPath(id('a'), '/output')))).toEqual([409, 'not_possible'])
  // A crash in between loses none of it.
  await close()
  await start()
  expect(JSON.parse((await ask('PUT', jobFilePath(id('a'), 'in/a.txt'), 'alpha\n')).body.toString())).toMatchObject({
    missing_files: ['b'],
  })
  expect(JSON.parse((await ask('PUT', jobFilePath(id('a'), 'b'), 'beta\n')).body.toString())).toMatchObject({ state: 'running' })
  const { files } = await over(id('a'))
  expect(await output(id('a'))).toBe('alpha\nbeta\n')
  expect(files).toEqual([declared('out.txt', 'alpha\n'), declared('d/z', 'z\n')])
  expect((await ask('GET', jobFilePath(id('a'), 'out.txt'))).body.toString()).toBe('alpha\n')
  for (const path of ['link', 'root/etc/passwd', 'pipe', 'missing', 'd', 'other', 'in/a.txt'])
    expect(problem(await ask('GET', jobFilePath(id('a'), path)))).toEqual([404, 'unknown_file'])
})

test('what an executor that was stopped was running is lost, and is not started again', async () => {
  await start()
  const job = bash('echo begun; echo x >> count; sleep 1000')
  await put(id('a'), job)
  await expect.poll(async () => (await report(id('a'))).output_bytes).toBe(6)
  await close()
  await start()
  expect(await report(id('a'))).toMatchObject({ state: 'lost', exit_code: null, output_bytes: 6, message: 'The executor was stopped.' })
  expect(JSON.parse((await put(id('a'), job)).body.toString())).toMatchObject({ state: 'lost' })
  expect(await output(id('a'))).toBe('begun\n')
})

test('there are limits for jobs, and jobs that no one fetched are deleted after a day', async () => {
  const clock = testClock()
  await start({ clock })
  for (let count = 0; count < jobLimits.running; count += 1) await put(id(`${count}`), bash('sleep 1000'))
  expect(problem(await put(id('more'), bash('true')))).toEqual([429, 'too_many_jobs'])
  expect(JSON.parse((await ask('GET', '/health')).body.toString())).toMatchObject({ running_jobs: jobLimits.running })
  let canceled = 0
  for (let count = 0; count < jobLimits.running; count += 1)
    void ask('POST', jobPath(id(`${count}`), '/cancel')).then(() => {
      canceled += 1
    })
  // A sandbox that is just starting ignores the first signal, and is killed when its grace is over.
  await expect
    .poll(() => {
      clock.advance(limits.grace_ms)
      return canceled
    })
    .toBe(jobLimits.running)
  clock.advance(jobLimits.kept_ms + 10 * 60_000)
  await expect.poll(async () => (await ask('GET', jobPath(id('0')))).status).toBe(404)
})

test('a job with too much output is ended, with what fits', async () => {
  await start({ space: { output_bytes: 1_000, disk_bytes: 1_000_000 } })
  await put(id('a'), bash('yes; sleep 1000'))
  expect(await over(id('a'))).toMatchObject({
    state: 'ended',
    output_bytes: 1_000,
    violations: [{ attempted: 'execute', resource: 'more than 1000 bytes of output', blocked: true }],
  })
  expect(await output(id('a'))).toBe('y\n'.repeat(500))
})

test('a job that fills the disk is ended, and others start when there is space again', async () => {
  const clock = testClock()
  await start({ clock, space: { output_bytes: 1_000, disk_bytes: 1_000_000 } })
  await put(id('a'), bash('head -c 2000000 /dev/zero > big; echo filled; sleep 1000'))
  await expect.poll(async () => (await report(id('a'))).output_bytes).toBe(7)
  // It is measured every few seconds, and killed if it ignores the first signal.
  await expect
    .poll(async () => {
      clock.advance(limits.grace_ms)
      return (await report(id('a'))).state
    })
    .toBe('failed')
  expect(await report(id('a'))).toMatchObject({ message: 'the jobs use more than 1000000 bytes on the disk of the executor' })
  expect(problem(await put(id('b'), bash('true')))).toEqual([507, 'disk_full'])
  await ask('DELETE', jobPath(id('a')))
  expect((await put(id('b'), bash('true'))).status).toBe(200)
})

test('without a sandbox nothing runs, unless the owner of the machine allows it', async () => {
  await start({ unrestricted: true })
  const offer = JSON.parse((await ask('GET', '/capabilities')).body.toString())
  const names = offer.capabilities.map(({ name }: { name: string }) => name)
  expect([names.includes('jobs.run'), names.includes('jobs.sandbox')]).toEqual([true, false])
  await put(id('a'), bash('true'))
  expect(await over(id('a'))).toMatchObject({ state: 'ended', exit_code: 0, sandbox: 'none' })
})

test('damaged and foreign folders do not prevent a start', async () => {
  await start()
  await put(id('a'), bash('echo kept'))
  await over(id('a'))
  await put(id('b'), bash('true'))
  await over(id('b'))
  await close()
  truncateSync(jobFolder(join(folder, 'jobs'), id('b')).record, 10)
  writeFileSync(join(folder, 'jobs', 'stray'), '')
  symlinkSync('/', join(folder, 'jobs', id('c')))
  linkSync(join(folder, 'identity.json'), join(folder, 'jobs', 'hard'))
  await start()
  expect([await output(id('a')), readdirSync(join(folder, 'jobs'))]).toEqual(['kept\n', [id('a')]])
  expect(existsSync('/etc')).toBe(true)
})
