package protect

// isPopular reports whether a host is one that very many people use every day, for search, mail, work, software,
// money, large banks or news, or that serves parts of other sites. Hosts of platforms are not among them. A server
// protects more with Names of its [Rule], such as the first thousands of a list of popular domains.
func isPopular(host string) bool {
	switch host {
	case "google.com", "accounts.google.com", "docs.google.com", "drive.google.com", "forms.google.com", "mail.google.com",
		"maps.google.com", "play.google.com", "sites.google.com", "googleapis.com", "fonts.googleapis.com", "storage.googleapis.com",
		"gstatic.com", "goo.gl", "forms.gle", "g.co", "gmail.com", "googlemail.com", "googletagmanager.com", "android.com",
		"chromium.org", "bing.com", "duckduckgo.com", "yahoo.com", "mail.yahoo.com", "baidu.com", "yandex.ru", "yandex.com", "naver.com",
		"ecosia.org", "brave.com":
		return true
	case "microsoft.com", "login.microsoftonline.com", "microsoftonline.com", "office.com", "office365.com", "sharepoint.com", "live.com",
		"outlook.com", "hotmail.com", "outlook.office.com", "msn.com", "windows.com", "onedrive.live.com", "skype.com", "azure.com",
		"visualstudio.com", "apple.com", "icloud.com", "itunes.apple.com", "apps.apple.com", "mozilla.org", "firefox.com", "adobe.com",
		"canva.com", "figma.com":
		return true
	case "facebook.com", "fb.com", "messenger.com", "whatsapp.com", "wa.me", "web.whatsapp.com", "reddit.com", "pinterest.com", "tumblr.com",
		"snapchat.com", "quora.com", "vk.com", "weibo.com", "qq.com", "wechat.com", "line.me", "signal.org", "zoom.us", "slack.com",
		"mastodon.social", "bsky.app", "threads.net", "threads.com", "farcaster.xyz", "warpcast.com":
		return true
	case "wikipedia.org", "en.wikipedia.org", "wikimedia.org", "wikidata.org", "archive.org", "web.archive.org", "stackoverflow.com",
		"stackexchange.com", "gitlab.com", "bitbucket.org", "npmjs.com", "pypi.org", "docker.com", "hub.docker.com", "golang.org", "go.dev",
		"pkg.go.dev", "rust-lang.org", "crates.io", "jsdelivr.net", "cdn.jsdelivr.net", "unpkg.com", "cloudflare.com",
		"cdnjs.cloudflare.com", "akamai.com", "fastly.net", "amazonaws.com", "cloudfront.net", "ipfs.io", "dweb.link", "arweave.net",
		"w3.org", "ietf.org", "kernel.org", "debian.org", "ubuntu.com":
		return true
	case "amazon.com", "ebay.com", "aliexpress.com", "alibaba.com", "taobao.com", "paypal.com", "stripe.com", "visa.com", "mastercard.com",
		"americanexpress.com", "wise.com", "revolut.com", "netflix.com", "spotify.com", "twitch.tv", "roblox.com", "steampowered.com",
		"steamcommunity.com", "epicgames.com", "booking.com", "airbnb.com", "uber.com", "openai.com", "chatgpt.com", "claude.ai",
		"anthropic.com", "dropbox.com", "notion.so", "notion.site", "wordpress.com", "wordpress.org", "blogger.com", "shopify.com",
		"wix.com", "squarespace.com", "salesforce.com", "docusign.com", "linktr.ee", "bit.ly", "tinyurl.com", "typeform.com":
		return true
	case "chase.com", "secure.chase.com", "jpmorgan.com", "bankofamerica.com", "wellsfargo.com", "citi.com", "online.citi.com", "usbank.com",
		"pnc.com", "capitalone.com", "truist.com", "discover.com", "schwab.com", "fidelity.com", "vanguard.com", "goldmansachs.com",
		"morganstanley.com", "rbc.com", "rbcroyalbank.com", "td.com", "scotiabank.com", "bmo.com", "cibc.com":
		return true
	case "hsbc.com", "hsbc.co.uk", "barclays.com", "barclays.co.uk", "lloydsbank.com", "natwest.com", "santander.com", "santander.co.uk",
		"halifax.co.uk", "nationwide.co.uk", "monzo.com", "starlingbank.com", "n26.com", "deutsche-bank.de", "commerzbank.de", "sparkasse.de",
		"bnpparibas.com", "societegenerale.com", "credit-agricole.fr", "ing.com", "ing.nl", "rabobank.nl", "abnamro.nl", "ubs.com",
		"bbva.com", "bbva.es", "caixabank.es", "unicredit.it", "intesasanpaolo.com", "nordea.com", "danskebank.com", "seb.se":
		return true
	case "icbc.com.cn", "ccb.com", "abchina.com", "boc.cn", "mufg.jp", "smbc.co.jp", "mizuhobank.co.jp", "dbs.com", "dbs.com.sg", "ocbc.com",
		"onlinesbi.sbi", "hdfcbank.com", "icicibank.com", "commbank.com.au", "westpac.com.au", "anz.com", "anz.com.au", "nab.com.au",
		"itau.com.br", "bradesco.com.br", "bb.com.br", "nubank.com.br", "standardbank.co.za", "venmo.com", "cash.app", "zellepay.com",
		"klarna.com", "mercadopago.com", "alipay.com", "westernunion.com":
		return true
	case "bbc.com", "bbc.co.uk", "cnn.com", "nytimes.com", "theguardian.com", "reuters.com", "bloomberg.com", "forbes.com", "wsj.com",
		"washingtonpost.com", "ft.com", "nih.gov", "cdc.gov", "irs.gov", "usps.com", "ups.com", "fedex.com", "dhl.com", "europa.eu",
		"who.int", "un.org":
		return true
	case "bitcoin.org", "ethereum.org", "solana.com", "etherscan.io", "bscscan.com", "polygonscan.com", "arbiscan.io", "basescan.org",
		"solscan.io", "blockchain.com", "coinbase.com", "binance.com", "kraken.com", "okx.com", "bybit.com", "coingecko.com",
		"coinmarketcap.com", "metamask.io", "phantom.app", "phantom.com", "trustwallet.com", "ledger.com", "trezor.io", "walletconnect.com",
		"walletconnect.org", "uniswap.org", "app.uniswap.org", "aave.com", "app.aave.com", "lido.fi", "curve.fi", "opensea.io", "magiceden.io",
		"ens.domains", "safe.global", "app.safe.global", "infura.io", "alchemy.com", "chainlist.org":
		return true
	default:
		return false
	}
}
