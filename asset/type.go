package asset

import "slices"

// Type is the kind of an asset. It has the values of the specification's asset type
// enumeration, in upper case. The zero value is invalid; in a filter it means any type.
type Type string

// The asset types, in the order of the specification. Package classify recognizes those
// with a comment.
const (
	// TypeURL is a link with the scheme http or https that names no platform identifier.
	TypeURL Type = "URL"
	// TypePage is a host or a link without a scheme, such as example.com/login.
	TypePage Type = "PAGE"
	// TypeAddress is a blockchain address with a valid checksum.
	TypeAddress Type = "ADDRESS"
	// TypeDiscord is an invitation or a server, such as discord.gg/code.
	TypeDiscord Type = "DISCORD"
	// TypeLinkedIn is a member or an organization, such as linkedin.com/in/name.
	TypeLinkedIn Type = "LINKEDIN"
	// TypeTwitter is an account, such as x.com/name, or a handle of up to 15 characters.
	TypeTwitter  Type = "TWITTER"
	TypeFacebook Type = "FACEBOOK"
	// TypeYouTube is a handle, a channel or a user, such as youtube.com/@name.
	TypeYouTube Type = "YOUTUBE"
	TypeReddit  Type = "REDDIT"
	// TypeTelegram is an account, a channel, an invitation or a telephone number, such as t.me/name.
	TypeTelegram          Type = "TELEGRAM"
	TypeGoogleAppStore    Type = "GOOGLE_APP_STORE"
	TypeAppleAppStore     Type = "APPLE_APP_STORE"
	TypeAmazonAppStore    Type = "AMAZON_APP_STORE"
	TypeMicrosoftAppStore Type = "MICROSOFT_APP_STORE"
	// TypeTikTok is an account, such as tiktok.com/@name.
	TypeTikTok Type = "TIKTOK"
	// TypeInstagram is an account, such as instagram.com/name, or a handle of more than 15 characters.
	TypeInstagram Type = "INSTAGRAM"
	TypeThreads   Type = "THREADS"
	// TypeMedium is an account or a publication, such as medium.com/@name or name.medium.com.
	TypeMedium         Type = "MEDIUM"
	TypeChromeWebStore Type = "CHROME_WEB_STORE"
	TypeMozillaAddons  Type = "MOZILLA_ADDONS"
	TypeOperaAddons    Type = "OPERA_ADDONS"
	// TypeEmail is an e-mail address.
	TypeEmail       Type = "EMAIL"
	TypePatreon     Type = "PATREON"
	TypeOpenSea     Type = "OPENSEA"
	TypeFarcaster   Type = "FARCASTER"
	TypeIPFS        Type = "IPFS"
	TypeGoogleForm  Type = "GOOGLE_FORM"
	TypeWhatsApp    Type = "WHATSAPP"
	TypeDiscordUser Type = "DISCORD_USER"
	TypeQuora       Type = "QUORA"
	// TypeGitHub is an account or a repository, such as github.com/owner/repository.
	TypeGitHub     Type = "GITHUB"
	TypeTeachable  Type = "TEACHABLE"
	TypeSubstack   Type = "SUBSTACK"
	TypeDeBank     Type = "DEBANK"
	TypeTawkTo     Type = "TAWK_TO"
	TypeJotform    Type = "JOTFORM"
	TypePrimal     Type = "PRIMAL"
	TypeBluesky    Type = "BLUESKY"
	TypeSnapchat   Type = "SNAPCHAT"
	TypeDeSo       Type = "DESO"
	TypePinterest  Type = "PINTEREST"
	TypeArchiveOrg Type = "ARCHIVE_ORG"
	// TypeTwitch is a channel, such as twitch.tv/name.
	TypeTwitch          Type = "TWITCH"
	TypeTumblr          Type = "TUMBLR"
	TypeVimeo           Type = "VIMEO"
	TypeSteam           Type = "STEAM"
	TypeHex             Type = "HEX"
	TypeSlack           Type = "SLACK"
	TypeGitLab          Type = "GITLAB"
	TypeBitbucket       Type = "BITBUCKET"
	TypeNPM             Type = "NPM"
	TypePyPI            Type = "PYPI"
	TypeDockerHub       Type = "DOCKER_HUB"
	TypeHuggingFace     Type = "HUGGING_FACE"
	TypeGitBook         Type = "GITBOOK"
	TypeNotion          Type = "NOTION"
	TypeMastodon        Type = "MASTODON"
	TypeLens            Type = "LENS"
	TypePhoneNumber     Type = "PHONE_NUMBER"
	TypeSignal          Type = "SIGNAL"
	TypeLine            Type = "LINE"
	TypeWeChat          Type = "WECHAT"
	TypeViber           Type = "VIBER"
	TypeRustPackage     Type = "RUST_PACKAGE"
	TypeMirror          Type = "MIRROR"
	TypeZora            Type = "ZORA"
	TypeRarible         Type = "RARIBLE"
	TypeMagicEden       Type = "MAGIC_EDEN"
	TypeGalxe           Type = "GALXE"
	TypeZealy           Type = "ZEALY"
	TypeGuild           Type = "GUILD"
	TypeSamsungAppStore Type = "SAMSUNG_APP_STORE"
	TypeHuaweiAppStore  Type = "HUAWEI_APP_STORE"
	TypeXiaomiAppStore  Type = "XIAOMI_APP_STORE"
	TypeOppoAppStore    Type = "OPPO_APP_STORE"
	TypeVivoAppStore    Type = "VIVO_APP_STORE"
	TypeAptoideAppStore Type = "APTOIDE_APP_STORE"
	TypeSpotify         Type = "SPOTIFY"
	TypeGoogleAd        Type = "GOOGLE_AD"
	TypeFacebookAd      Type = "FACEBOOK_AD"
	TypeKick            Type = "KICK"
	TypeRumble          Type = "RUMBLE"
	TypeOdysee          Type = "ODYSEE"
	TypeTwitterAd       Type = "TWITTER_AD"
	TypeCalendly        Type = "CALENDLY"
	TypeTypeform        Type = "TYPEFORM"
	TypeTrustpilot      Type = "TRUSTPILOT"
	TypeEventbrite      Type = "EVENTBRITE"
	TypeLuma            Type = "LUMA"
)

// types has every type in the order of the specification. Databases have their positions, so a
// new type goes to the end.
var types = [...]Type{
	TypeURL,
	TypePage,
	TypeAddress,
	TypeDiscord,
	TypeLinkedIn,
	TypeTwitter,
	TypeFacebook,
	TypeYouTube,
	TypeReddit,
	TypeTelegram,
	TypeGoogleAppStore,
	TypeAppleAppStore,
	TypeAmazonAppStore,
	TypeMicrosoftAppStore,
	TypeTikTok,
	TypeInstagram,
	TypeThreads,
	TypeMedium,
	TypeChromeWebStore,
	TypeMozillaAddons,
	TypeOperaAddons,
	TypeEmail,
	TypePatreon,
	TypeOpenSea,
	TypeFarcaster,
	TypeIPFS,
	TypeGoogleForm,
	TypeWhatsApp,
	TypeDiscordUser,
	TypeQuora,
	TypeGitHub,
	TypeTeachable,
	TypeSubstack,
	TypeDeBank,
	TypeTawkTo,
	TypeJotform,
	TypePrimal,
	TypeBluesky,
	TypeSnapchat,
	TypeDeSo,
	TypePinterest,
	TypeArchiveOrg,
	TypeTwitch,
	TypeTumblr,
	TypeVimeo,
	TypeSteam,
	TypeHex,
	TypeSlack,
	TypeGitLab,
	TypeBitbucket,
	TypeNPM,
	TypePyPI,
	TypeDockerHub,
	TypeHuggingFace,
	TypeGitBook,
	TypeNotion,
	TypeMastodon,
	TypeLens,
	TypePhoneNumber,
	TypeSignal,
	TypeLine,
	TypeWeChat,
	TypeViber,
	TypeRustPackage,
	TypeMirror,
	TypeZora,
	TypeRarible,
	TypeMagicEden,
	TypeGalxe,
	TypeZealy,
	TypeGuild,
	TypeSamsungAppStore,
	TypeHuaweiAppStore,
	TypeXiaomiAppStore,
	TypeOppoAppStore,
	TypeVivoAppStore,
	TypeAptoideAppStore,
	TypeSpotify,
	TypeGoogleAd,
	TypeFacebookAd,
	TypeKick,
	TypeRumble,
	TypeOdysee,
	TypeTwitterAd,
	TypeCalendly,
	TypeTypeform,
	TypeTrustpilot,
	TypeEventbrite,
	TypeLuma,
}

// Types returns all types in the order of the specification. The caller may change the
// slice.
func Types() []Type {
	return slices.Clone(types[:])
}

// Valid reports whether t is one of the specification's types.
func (t Type) Valid() bool {
	return slices.Contains(types[:], t)
}
