import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestSite } from '../../../test/support/sandbox/network/test-scope.ts'
import { refOf, type TestBrowser, testBrowser } from '../../../test/support/tools/browser/test-browser.ts'
import { reason } from '../../../test/support/tools/web/test-context.ts'

const form = `<title>Form</title><h1>Order</h1>
<form action="/sent" method="post"><label>Name <input name="name"></label>
<label>Size <select name="size"><option value="s">Small</option><option value="l">Large</option></select></label>
<button>Send</button></form>
<button onclick="document.body.append('clicked')">Press</button><button>Twice</button><button>Twice</button>
<button style="display:none">Ghost</button><button disabled>Off</button>
<iframe name="inner" src="/inner"></iframe>`

const items = (length: number) => Array.from({ length }, (_, index) => `<a href="#${index}">item ${index}</a>`).join('')

const pages: Record<string, string | RequestListener> = {
  '/form': form,
  '/inner':
    '<title>Inner</title><p>below</p><input aria-label="Deep"><button onclick="document.body.append(\'deep click\')">Inside</button>',
  '/dialogs': `<title>Dialogs</title><button onclick="alert('hello'); document.title = String(confirm('sure?')) + prompt('who?')">Ask</button>`,
  '/windows': `<title>Windows</title><a href="/form" target="_blank">Another</a>`,
  '/many-windows': `<title>Many</title><button onclick="for (let i = 0; i < 24; i++) window.open('/inner')">Flood</button>`,
  '/console': `<title>Console</title><script>for (let i = 1; i <= 10000; i++) console.log('line ' + i); console.error('last'); setTimeout(() => { throw new Error('thrown') })</script>`,
  '/download': `<title>Download</title><a href="/file">Get</a>`,
  '/file': (_, response) => response.writeHead(200, { 'content-disposition': 'attachment; filename="../../evil\\".txt"' }).end('contents'),
  '/moving': `<title>Moving</title><script>setTimeout(() => { location.href = '/arrived' }, 300)</script><button>Never</button>`,
  '/arrived': '<title>Arrived</title><p>here now</p>',
  '/link': '<title>Link</title><a href="/slow">Slow link</a>',
  '/slow': (_, response) =>
    void setTimeout(() => response.setHeader('content-type', 'text/html').end('<title>Slow</title><p>came at last</p>'), 400),
  '/later': `<title>Later</title><p>wait</p><script>setTimeout(() => { document.body.innerHTML = '<p id="new">has come</p>'; history.pushState({}, '', '/later#done') }, 400)</script>`,
  '/half': (_, response) => {
    response.setHeader('content-type', 'text/html').write('<title>Half</title><p>so far</p>'.padEnd(20_000, ' '))
  },
  '/never': () => undefined,
  '/stuck-frame': '<title>Stuck</title><p>beside it</p><iframe src="/never"></iframe>',
  '/loop': '<title>Loop</title><script>setTimeout(() => { for (;;); }, 500)</script>',
  '/large': items(2_500),
  '/huge': items(30_000),
  '/tall': '<title>Tall</title><div style="height:100000px;background:linear-gradient(red,blue)">tall</div>',
  '/covered': '<title>Covered</title><button>Under</button><div style="position:fixed;inset:0;background:white">over</div>',
  '/sent': async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.setHeader('content-type', 'text/html').end(`<title>Sent</title><p>${body}</p>`)
  },
  '/missing': (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Missing</title>nothing here'),
}

let site: TestSite
let browser: TestBrowser
const at = (path: string) => `${site.origin}${path}`

beforeAll(async () => {
  site = await openSite((request, response) => {
    const page = pages[request.url ?? ''] ?? ''
    if (typeof page === 'string')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(`<!doctype html><html><body>${page}</body></html>`)
    else page(request, response)
  })
  browser = testBrowser([site.host])
  await browser.run('open', { url: at('/inner') })
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test('open returns the page with refs, including frames', async () => {
  const { snapshot, ...page } = await browser.run('open', { url: at('/form') })
  expect(page).toEqual({
    status: 200,
    loaded: true,
    browser_sandbox: process.getuid?.() === 0 ? 'off' : 'on',
    tab: 't1',
    url: at('/form'),
    title: 'Form',
    tabs: [{ tab: 't1', url: at('/form') }],
    dialogs: [],
    downloads: [],
    refused: [],
  })
  expect(refOf(snapshot, 'button "Inside"')).toMatch(/^f\d+e\d+$/)
  const after = await browser.run('click', { ref: refOf(snapshot, 'button "Inside"') })
  expect(after.snapshot).toContain('deep click')
})

test('a form is filled by ref, an option is selected by label, and the form is sent', async () => {
  const { snapshot } = await browser.run('open', { url: at('/form') })
  await browser.run('type', { ref: refOf(snapshot, 'textbox "Name"'), value: 'Ada & Co' })
  await browser.run('select', { role: 'combobox', name: 'Size', values: ['Large'] })
  const sent = await browser.run('click', { role: 'button', name: 'Send' })
  expect([sent.url, sent.title, sent.snapshot.includes('name=Ada+%26+Co&size=l')]).toEqual([at('/sent'), 'Sent', true])
})

test('Enter sends a form; keys can be pressed one by one', async () => {
  await browser.run('open', { url: at('/form') })
  await browser.run('type', { selector: 'input[name=name]', value: 'A' })
  const sent = await browser.run('type', { selector: 'input[name=name]', value: 'b', one_by_one: true, submit: true })
  expect(sent.snapshot).toContain('name=Ab&size=s')
})

test('elements are found by text and selector, in every frame or in one', async () => {
  await browser.run('open', { url: at('/form') })
  expect((await browser.run('click', { text: 'Press' })).snapshot).toContain('clicked')
  expect((await browser.run('type', { selector: 'input[aria-label=Deep]', value: 'found' })).snapshot).toContain('found')
  expect((await browser.run('click', { text: 'Inside', frame: 'inner' })).snapshot).toContain('deep click')
  expect(await reason(browser.run('click', { text: 'Press', frame: '/inner' }))).toBe('target_not_found')
})

test('an element that cannot be used is a failure with a code', async () => {
  await browser.run('open', { url: at('/form') })
  expect(await reason(browser.run('click', { role: 'button', name: 'Twice' }))).toBe('target_ambiguous')
  expect((await browser.run('click', { role: 'button', name: 'Twice', nth: 1 })).url).toBe(at('/form'))
  expect(await reason(browser.run('click', {}))).toBe('target_missing')
  expect(await reason(browser.run('click', { selector: 'a[[' }))).toBe('selector_invalid')
  expect(await reason(browser.run('click', { ref: 'e9999' }))).toBe('ref_stale')
  expect(await reason(browser.run('click', { text: 'Press', tab: 't99' }))).toBe('tab_unknown')
})

test('a covered element is not clicked through', async () => {
  await browser.run('open', { url: at('/covered') })
  const error: unknown = await browser.run('click', { role: 'button', name: 'Under' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ reason_code: 'target_not_actionable', message: expect.stringContaining('intercepts pointer events') })
})

test('a frame that never loads delays the page only briefly', async () => {
  const stuck = await browser.run('open', { url: at('/stuck-frame') })
  expect([stuck.title, stuck.snapshot.includes('beside it')]).toEqual(['Stuck', true])
})

test('dialogs are dismissed and reported once', async () => {
  await browser.run('open', { url: at('/dialogs') })
  const asked = await browser.run('click', { text: 'Ask' })
  expect([asked.dialogs, asked.title]).toEqual([
    [
      { type: 'alert', message: 'hello', answer: 'dismissed' },
      { type: 'confirm', message: 'sure?', answer: 'dismissed' },
      { type: 'prompt', message: 'who?', answer: 'dismissed' },
    ],
    'falsenull',
  ])
  expect((await browser.run('wait', {})).dialogs).toEqual([])
})

test('new tabs are listed and can be selected by id', async () => {
  await browser.run('open', { url: at('/windows') })
  await browser.run('click', { text: 'Another' })
  await expect.poll(async () => (await browser.run('wait', {})).tabs.length).toBe(2)
  const { tabs, tab } = await browser.run('wait', { network_idle: true })
  const second = tabs[1]?.tab ?? ''
  expect([tab, tabs.length]).toEqual(['t1', 2])
  const other = await browser.run('wait', { tab: second, text: 'Order' })
  expect([other.tab, other.title]).toEqual([second, 'Form'])
  const opened = await browser.run('open', { url: at('/arrived'), tab: 'new' })
  expect([opened.title, opened.tabs.length]).toEqual(['Arrived', 3])
  expect((await browser.run('wait', { tab: 't1' })).title).toBe('Windows')
})

test('a page that keeps opening windows is stopped', async () => {
  await browser.run('open', { url: at('/many-windows'), tab: 't1' })
  await browser.run('click', { text: 'Flood' })
  // They open one after the other.
  await expect.poll(async () => (await browser.run('wait', {})).tabs.length).toBe(20)
  const { tabs } = await browser.run('wait', { network_idle: true })
  expect(tabs.length).toBe(20)
  expect(await reason(browser.run('open', { url: at('/arrived'), tab: 'new' }))).toBe('too_many_tabs')
  for (const { tab } of tabs.slice(1)) await browser.run('eval', { expression: 'window.close()', tab }).catch(() => undefined)
})

test('of ten thousand console lines the last are stored and read in pages', async () => {
  await browser.run('open', { url: at('/console'), tab: 't1' })
  // An error thrown just after the page was loaded is reported just after it was opened.
  const lines = async () =>
    (await browser.run('console_logs', { limit: 2 })).items.map(({ level, text }) => `${level} ${text.split('\n')[0]}`)
  await expect.poll(lines).toEqual(['error last', 'pageerror Error: thrown'])
  const newest = await browser.run('console_logs', { limit: 2 })
  expect(newest.dropped).toBe(newest.total - 2_000)
  const seen: number[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page = await browser.run('console_logs', { after, limit: 500, level: 'log' })
    seen.push(...page.items.map(({ text }) => Number(text.slice(5))))
    after = page.next
  }
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([1_998, 8_003, 10_000])
})

test('downloads are stored in the folder of the run with a safe name', async () => {
  await browser.run('open', { url: at('/download'), tab: 't1' })
  const direct = await browser.run('open', { url: at('/file') })
  const [download] = direct.downloads
  expect(download).toMatchObject({ url: at('/file'), state: 'saved', bytes: 8 })
  expect(download?.file.startsWith(`${browser.temp}/downloads/1-`)).toBe(true)
  expect(readFileSync(download?.file ?? '', 'utf8')).toBe('contents')
  expect(direct.loaded).toBe(false)
})

test('after a click that navigates, the new page is shown', async () => {
  await browser.run('open', { url: at('/link') })
  expect((await browser.run('click', { text: 'Slow link' })).title).toBe('Slow')
})

test('a page that navigates by itself is followed', async () => {
  await browser.run('open', { url: at('/moving') })
  expect((await browser.run('wait', { url: '/arrived' })).title).toBe('Arrived')
  const leaving = `() => { location.href = '/form'; return new Promise(() => {}) }`
  expect(await reason(browser.run('eval', { expression: leaving }))).toBe('navigation_interrupted')
})

test('a page that is just navigating by itself does not keep another one from opening', async () => {
  for (const delay of [0, 5, 10, 20, 40]) {
    await browser.run('open', { url: at('/arrived') })
    await browser.run('eval', { expression: `() => { setTimeout(() => { location.href = '/inner' }, ${delay}); return true }` })
    const { url } = await browser.run('open', { url: at('/form') })
    // The page's own navigation may win afterwards; then the page that is shown is reported.
    expect([at('/form'), at('/inner')]).toContain(url)
  }
})

test('wait for a text, its disappearance, a selector and a URL; and time out', async () => {
  await browser.run('open', { url: at('/later') })
  const done = await browser.run('wait', { text: 'has come', text_gone: 'wait', selector: '#new', url: '#done' })
  expect(done.url).toBe(at('/later#done'))
  expect(await reason(browser.run('wait', { text: 'never comes', timeout_seconds: 1 }))).toBe('wait_timeout')
})

test('a page that never finishes loading is shown as far as it was loaded', async () => {
  const half = await browser.run('open', { url: at('/half'), timeout_seconds: 10 })
  expect([half.loaded, half.title]).toEqual([false, 'Half'])
})

test('a page that never responds, a missing page, and an unreachable host', async () => {
  expect(await reason(browser.run('open', { url: at('/never'), timeout_seconds: 1 }))).toBe('page_timeout')
  const missing = await browser.run('open', { url: at('/missing') })
  expect([missing.status, missing.title]).toEqual([404, 'Missing'])
  expect(await reason(browser.run('open', { url: 'nonsense' }))).toBe('url_invalid')
})

test('an endless script is a failure, and the next page opens', async () => {
  await browser.run('open', { url: at('/loop') })
  expect(await reason(browser.run('eval', { expression: 'new Promise((r) => setTimeout(r, 700))', timeout_seconds: 3 }))).toBe(
    'page_unresponsive',
  )
  expect((await browser.run('open', { url: at('/arrived') })).title).toBe('Arrived')
})

test('a large page is shown in part, and completely in a file; a huge page as text', async () => {
  const large = await browser.run('open', { url: at('/large') })
  expect(large.snapshot.length).toBeLessThan(70_000)
  expect(readFileSync(large.snapshot_file, 'utf8')).toContain('item 2499')
  const huge = await browser.run('open', { url: at('/huge') })
  expect([huge.snapshot, huge.text.startsWith('item 0item 1'), huge.text.length]).toEqual([null, true, 20_000])
  expect((await browser.run('click', { selector: 'a[href="#29999"]' })).url).toBe(at('/huge#29999'))
})

test('eval returns limited JSON, and reports errors', async () => {
  await browser.run('open', { url: at('/arrived') })
  const value = async (expression: string) => (await browser.run('eval', { expression })).value
  expect(await value('document.title')).toBe('Arrived')
  expect(await value('async () => { const a = [1, { b: null }]; return a }')).toEqual([1, { b: null }])
  expect(await value('undefined')).toBe(null)
  expect(await reason(browser.run('eval', { expression: 'nothing.here' }))).toBe('script_failed')
  expect(await reason(browser.run('eval', { expression: 'let x = 1; x' }))).toBe('script_failed')
  const long = await browser.run('eval', { expression: '"x".repeat(50_000_000)' })
  expect([long.truncated, long.text.length]).toEqual([true, 32_768])
})

test('an expression that takes too long does not break its page', async () => {
  await browser.run('open', { url: at('/arrived') })
  expect(await reason(browser.run('eval', { expression: 'new Promise(() => {})', timeout_seconds: 1 }))).toBe('script_timeout')
  expect((await browser.run('wait', {})).title).toBe('Arrived')
})

test('eval is refused in strict mode by the tool itself', async () => {
  expect(await reason(browser.run('eval', { expression: '1' }, { sandbox_mode: 'strict' }))).toBe('strict_mode')
})

test('screenshots of the visible part, the whole page, and one element', async () => {
  await browser.run('open', { url: at('/tall') })
  const view = await browser.run('screenshot', {})
  expect([view.width, view.height, readFileSync(view.file).length]).toEqual([1280, 800, view.bytes])
  const whole = await browser.run('screenshot', { full_page: true })
  expect(whole.height).toBe(16_000)
  await browser.run('open', { url: at('/form') })
  const one = await browser.run('screenshot', { role: 'heading', name: 'Order' })
  expect(one.height).toBeLessThan(100)
})

test('the network log has requests, responses and failures', async () => {
  await browser.run('open', { url: at('/form'), tab: 't1' }).catch(() => browser.run('open', { url: at('/form') }))
  const { items } = await browser.run('network_logs', { limit: 2 })
  expect(items.map(({ method, url, type, status }) => ({ method, url, type, status }))).toEqual([
    { method: 'GET', url: at('/form'), type: 'document', status: 200 },
    { method: 'GET', url: at('/inner'), type: 'document', status: 200 },
  ])
  await browser.run('open', { url: at('/missing') })
  const failed = await browser.run('network_logs', { failed_only: true, limit: 1 })
  expect(failed.items[0]).toMatchObject({ status: 404 })
})
