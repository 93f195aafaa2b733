// The part of the DOM that is used here. The types of browsers are not available on this side.

export interface PageElement {
  readonly textContent: string | null
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  remove(): void
  closest(selector: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number }
}

export interface PageDocument {
  readonly title: string
  readonly body: PageElement
  readonly documentElement: PageElement
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement> & { readonly length: number }
}
