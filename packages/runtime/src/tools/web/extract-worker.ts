// Runs in a worker: finds the readable part of a page and converts it to Markdown. It has no access to files or the network.
import { parentPort, workerData } from 'node:worker_threads'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import { markdownOf } from './markdown.ts'
import type { PageDocument, PageElement } from './page-element.ts'

export interface ExtractRequest {
  readonly html: string
  readonly url: string
}

export interface ExtractedPage {
  readonly title: string | null
  readonly byline: string | null
  readonly published: string | null
  readonly site: string | null
  readonly language: string | null
  /** Whether a main part was found; otherwise the Markdown contains the whole body. */
  readonly readable: boolean
  readonly markdown: string
}

export type ExtractReply = { readonly page: ExtractedPage } | { readonly failed: string }

const mostElements = 100_000

parentPort?.postMessage(answer(workerData))

function answer(order: ExtractRequest): ExtractReply {
  try {
    return { page: extractPage(order) }
  } catch (error) {
    return {
      failed: error instanceof RangeError ? 'its elements are nested too deeply' : error instanceof Error ? error.message : String(error),
    }
  }
}

function extractPage({ html, url }: ExtractRequest): ExtractedPage {
  const document = open(html, url)
  const title = document.title.trim()
  const article = document.querySelectorAll('*').length > mostElements ? null : new Readability(open(html, url)).parse()
  if (!article?.content || !article.textContent?.trim()) {
    const language = document.documentElement.getAttribute('lang')
    return {
      title: title || null,
      byline: null,
      published: null,
      site: null,
      language,
      readable: false,
      markdown: markdownOf(document.body),
    }
  }
  const content = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`).document.body
  return {
    title: article.title?.trim() || title || null,
    byline: article.byline?.trim() || null,
    published: article.publishedTime ?? null,
    site: article.siteName ?? null,
    language: article.lang ?? null,
    readable: true,
    markdown: markdownOf(content),
  }
}

/** The page without elements that never become text, and with absolute addresses. */
function open(html: string, url: string): PageDocument {
  const document: PageDocument = parseHTML(withBody(html)).document
  for (const element of document.querySelectorAll('script:not([type="application/ld+json"]), style, template, svg, iframe, object, embed'))
    element.remove()
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url
  for (const link of document.querySelectorAll('a[href]')) absolute(link, 'href', base, /^(https?|mailto):$/)
  for (const image of document.querySelectorAll('img[src]')) absolute(image, 'src', base, /^https?:$/)
  return document
}

/** Pages may omit html, head and body; the parser does not add them by itself. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html
  const attributes = /<html\b([^>]*)>/i.exec(html)?.[1] ?? ''
  const content = html.replaceAll(/<!doctype[^>]*>|<\/?(?:html|head|body)\b[^>]*>/gi, '')
  const title = /<title\b[^>]*>[^<]*<\/title>/i.exec(content)?.[0] ?? ''
  return `<!doctype html><html${attributes}><head>${title}</head><body>${content.replace(title, '')}</body></html>`
}

function absolute(element: PageElement, attribute: string, base: string, allowed: RegExp): void {
  const target = URL.parse(element.getAttribute(attribute) ?? '', base)
  if (target && allowed.test(target.protocol)) element.setAttribute(attribute, target.href)
  else element.removeAttribute(attribute)
}
