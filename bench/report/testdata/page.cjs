// Opens a page in headless Chromium and prints a line for each of its pictures:
// "drawn", or what is wrong with it. Whatever else is wrong is printed too.
// Usage: node page.cjs URL [screenshot]
const { chromium } = require('playwright-core')

async function main(url, shot) {
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    page.on('console', m => m.type() === 'error' && console.log('console:', m.text()))
    page.on('pageerror', e => console.log('error:', e.message))
    // going on to the next width cuts off what is still being loaded
    page.on('requestfailed', r => r.failure().errorText === 'net::ERR_ABORTED' || console.log('failed:', r.url(), r.failure().errorText))
    page.on('response', r => r.status() >= 400 && !r.url().endsWith('/favicon.ico') && console.log(r.status(), r.url()))
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(url)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (wide > 0) console.log(`${wide} px too wide at ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const img of await page.locator('img').all()) {
      await img.scrollIntoViewIfNeeded()
      const ok = await img.evaluate(async e => {
        await e.decode()
        return e.naturalWidth > 100 && e.getBoundingClientRect().height > 50 && e.alt !== ''
      })
      console.log(ok ? 'drawn' : `not drawn: ${await img.getAttribute('src')}`)
    }
    if (shot) await page.screenshot({ path: shot, fullPage: true })
  } finally {
    await browser.close()
  }
}

main(process.argv[2], process.argv[3]).catch(e => {
  console.log(e)
  process.exit(1)
})
