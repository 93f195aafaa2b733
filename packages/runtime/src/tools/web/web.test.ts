import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openSite, type TestSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { call, reason, type TestContext, testContext } from '../../../test/support/tools/web/test-context.ts'
import { webExtract } from './extract.ts'
import { webFetch } from './fetch.ts'
import { safeName } from './store-file.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function site(answer: RequestListener): Promise<TestSite> {
  const opened = await openSite(answer)
  closing.push(opened.close)
  return opened
}

function context(...given: Parameters<typeof testContext>): TestContext {
  const made = testContext(...given)
  closing.push(made.dispose)
  return made
}

const html =
  (body: string): RequestListener =>
  (_, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(body)

test('web.fetch returns text inline', async () => {
  const there = await site((request, response) => {
    if (request.url === '/old') response.writeHead(301, { location: '/new' }).end()
    else response.setHeader('content-type', 'application/json').end('{"a":"ü"}')
  })
  expect(await call(webFetch, { url: `${there.origin}/old` }, context([there.host]))).toEqual({
    url: `${there.origin}/new`,
    status: 200,
    content_type: 'application/json',
    bytes: 10,
    truncated: false,
    redirected_from: [`${there.origin}/old`],
    body: { kind: 'text', charset: 'utf-8', text: '{"a":"ü"}' },
  })
  expect(webFetch.effects({ url: `${there.origin}/old` }, { workspace: '/' })).toEqual([{ does: 'fetch', host: there.host }])
  expect(webFetch.effects({ url: 'https://example.org/x' }, { workspace: '/' })).toEqual([{ does: 'fetch', host: 'example.org' }])
})

test('web.fetch stores other content as a file with a safe name', async () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])
  const there = await site((_, response) => response.setHeader('content-type', 'image/png').end(bytes))
  const { body } = (await call(webFetch, { url: `${there.origin}/a/..%2f..%2fetc%2fpasswd.png` }, context([there.host]))) as {
    body: { kind: string; file: string }
  }
  expect(body.kind).toBe('binary')
  expect(body.file).toMatch(/tandem-tool-[^/]+\/files\/call-\d+-[^/]+\.png$/)
  expect(readFileSync(body.file)).toEqual(bytes)
})

test('web.fetch returns the beginning and end of a long text and stores all of it', async () => {
  const long = `start ${'x'.repeat(500_000)} end`
  const there = await site((_, response) => response.setHeader('content-type', 'text/plain').end(gzipSync(long)))
  there.server.removeAllListeners('request')
  there.server.on('request', (_, response) =>
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync(long)),
  )
  const { body } = (await call(webFetch, { url: there.origin }, context([there.host]))) as {
    body: { text: string; text_end: string; file: string }
  }
  expect([body.text.startsWith('start'), body.text_end.endsWith('end'), readFileSync(body.file, 'utf8') === long]).toEqual([
    true,
    true,
    true,
  ])
})

test('web.fetch reports why it failed', async () => {
  const there = await site((_, response) => response.end())
  await there.close()
  closing.pop()
  expect(await reason(call(webFetch, { url: there.origin }, context([there.host])))).toBe('host_unreachable')
  expect(await reason(call(webFetch, { url: there.origin }, context([])))).toBe('host_out_of_scope')
  expect(await reason(call(webFetch, { url: 'nonsense' }, context(['*'])))).toBe('url_invalid')
})

test.each([
  ['../../etc/passwd', '_.._etc_passwd'],
  ['.bashrc', 'bashrc'],
  ['a\u0000b\n.png', 'a_b_.png'],
  ['', 'file'],
  ['Übersicht 2026.pdf', 'Übersicht 2026.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(60)}.pdf`],
])('the name %j is stored as %j', (given, kept) => {
  expect(safeName(given)).toBe(kept)
})

const paragraph =
  'The committee met for the third time this year and looked at the numbers, which were better than most had hoped, and worse than some had said. '
const article = `<!doctype html><html lang="en"><head><title>Numbers – The Paper</title>
<meta property="article:published_time" content="2026-02-03T10:00:00Z"><meta property="og:site_name" content="The Paper"><meta name="author" content="Ada Writer">
</head><body><nav><a href="/home">Home</a><a href="/sports">Sports</a></nav>
<article><h1>Numbers</h1><p>${paragraph.repeat(4)}</p><p>See <a href="more?x=1">more</a>, <a href="javascript:alert(1)">not this</a>. ${paragraph.repeat(3)}</p>
<img src="chart.png" alt="A chart"><img src="data:image/png;base64,AAAA" alt="inline">
<table><tr><th>Year</th><th>Sum | all</th></tr><tr><td>2025</td><td><a href="/y">12</a></td></tr></table>
<pre><code>let x = 1</code></pre><p>${paragraph.repeat(3)}</p></article>
<script>document.title = 'changed'</script><footer>© nobody</footer></body></html>`

test('web.extract returns the readable part as Markdown', async () => {
  const there = await site(html(article))
  const page = (await call(webExtract, { url: `${there.origin}/news/today` }, context([there.host]))) as Record<string, unknown> & {
    text: string
  }
  const { text, ...about } = page
  expect(about).toEqual({
    url: `${there.origin}/news/today`,
    title: 'Numbers – The Paper',
    byline: 'Ada Writer',
    published: '2026-02-03T10:00:00Z',
    site: 'The Paper',
    language: 'en',
    readable: true,
    truncated: false,
    redirected_from: [],
  })
  expect(text).toContain(`[more](${there.origin}/news/more?x=1)`)
  expect(text).toContain(`| Year | Sum \\| all |\n| --- | --- |\n| 2025 | [12](${there.origin}/y) |`)
  expect(text).toContain(`![A chart](${there.origin}/news/chart.png)`)
  expect(text).toContain('```\nlet x = 1\n```')
  expect(text).not.toMatch(/javascript:|base64|Sports|changed|nobody/)
})

test('web.extract falls back to the whole body, and returns plain text unchanged', async () => {
  const there = await site((request, response) => {
    const type = request.url === '/plain' ? 'text/plain' : 'text/html'
    response
      .setHeader('content-type', type)
      .end(request.url === '/plain' ? '<b>as it is</b>' : '<ul><li>one</li><li><a href="/two">two</a></li></ul>')
  })
  const run = (path: string) => call(webExtract, { url: `${there.origin}${path}` }, context([there.host]))
  const nothing = {
    title: null,
    byline: null,
    published: null,
    site: null,
    language: null,
    readable: false,
    truncated: false,
    redirected_from: [],
  }
  expect(await run('/plain')).toEqual({ url: `${there.origin}/plain`, ...nothing, text: '<b>as it is</b>' })
  const { text, readable } = (await run('/list')) as { text: string; readable: boolean }
  expect([text.replace(/\s+/g, ' '), typeof readable]).toEqual([`- one - [two](${there.origin}/two)`, 'boolean'])
})

test.each([
  ['neither html, head nor body', '<!doctype html><title>Shop &amp; more</title><p>We sell <b>things</b>.'],
  ['html alone', '<!doctype html><html lang="en"><title>Shop &amp; more</title><p>We sell <b>things</b>.</p></html>'],
  ['no body', '<html lang="en"><head><title>Shop &amp; more</title></head><p>We sell <b>things</b>.</p></html>'],
])('web.extract reads a page with omitted elements: %s', async (_name, page) => {
  const there = await site((_, response) => response.setHeader('content-type', 'text/html').end(page))
  const read = await call(webExtract, { url: there.origin }, context([there.host]))
  expect(read).toMatchObject({ title: 'Shop & more', language: page.includes('lang=') ? 'en' : null, text: 'We sell **things**.' })
})

test('web.extract refuses content that is not a page', async () => {
  const there = await site((request, response) => {
    if (request.url === '/gone') response.writeHead(410).end('gone')
    else response.setHeader('content-type', 'application/pdf').end('%PDF')
  })
  const run = (path: string) => call(webExtract, { url: `${there.origin}${path}` }, context([there.host]))
  expect([await reason(run('/gone')), await reason(run('/pdf'))]).toEqual(['http_status', 'not_a_page'])
})

test('web.extract survives malicious pages', async () => {
  const pages: Record<string, string> = {
    '/deep': `<html><body>${'<div>'.repeat(200_000)}x`,
    '/wide': `<html><body>${'<p>a<b>b</b></p>'.repeat(150_000)}`,
    '/table': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(20_000)}</table>`,
    '/attributes': `<html><body><a ${'x '.repeat(500_000)}>y</a>`,
    '/proto': '<html><body><p __proto__="x" constructor="y">fine</p>',
  }
  const there = await site((request, response) => html(pages[request.url ?? ''] ?? '')(request, response))
  const ends = await Promise.all(
    Object.keys(pages).map((path) =>
      call(webExtract, { url: `${there.origin}${path}` }, context([there.host])).then(
        () => 'read',
        (error: { reason_code?: string }) => error.reason_code,
      ),
    ),
  )
  expect(ends.every((end) => end === 'read' || end === 'page_too_complex')).toBe(true)
  expect(ends[0]).toBe('page_too_complex')
})

test('web.extract ends with its signal', async () => {
  const stop = new AbortController()
  const there = await site((request, response) => {
    response.once('finish', () => stop.abort(new Error('canceled')))
    html(`<html><body>${'<p>a<b>b</b></p>'.repeat(100_000)}`)(request, response)
  })
  const work = call(webExtract, { url: there.origin }, context([there.host], { signal: stop.signal }))
  await expect(work).rejects.toThrow('canceled')
})
