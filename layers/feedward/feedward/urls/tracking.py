"""The list of tracking parameters (rule C1), used for candidates, score and comparison.

Names are compared without case and as written in the query: `utm%5Fsource` is not on the list, since a query is never
decoded. A change of the list must raise TRACKING_VERSION, KEY_VERSION, and the component `url` of the normalization
version (docs/lineage.md).
"""

from __future__ import annotations

TRACKING_VERSION = "1"

_LISTED = """
    utm_source utm_medium utm_campaign utm_term utm_content utm_reader utm_name utm_cid utm_viz_id
    gclid dclid gbraid wbraid gclsrc gad_source gad_campaignid srsltid
    fbclid fb_action_ids fb_action_types fb_source fb_ref _ga _gl _bk _ke mc_cid mc_eid mc_tc mkt_tok
    msclkid twclid ttclid igshid
    mtm_campaign mtm_cid mtm_content mtm_group mtm_keyword mtm_medium mtm_placement mtm_source
    pk_campaign pk_cid pk_content pk_keyword pk_medium pk_source ncid sr_share
    hsa_acc hsa_ad hsa_cam hsa_grp hsa_kw hsa_mt hsa_net hsa_src hsa_tgt hsa_ver hsCtaTracking
    _hsenc _hsmi __hstc __hsfp __hssc cid s_kwcid sc_cid ef_id obOrigUrl dicbo yclid ysclid _openstat
    awinaffid awinmid clickref afftrack
    itm_source itm_medium itm_campaign itm_content itm_channel itm_audience
    int_source int_medium int_campaign int_content int_placement int_campaign_type int_keycode
    g2i_source g2i_medium g2i_campaign g2i_or_o g2i_or_p
    doing_wp_cron preview preview_id preview_nonce replytocom
    _ timestamp ts cb cachebuster nocache rand random sbdcrw forceByPassCache sucurianticache cleancache
    rebuildcache kontrol_health_check_timestamp
    action_object_map action_ref_map action_type_map algo_expid algo_pvid
    at_campaign at_custom1 at_custom2 at_custom3 at_custom4 at_medium at_preview_index
    _bhlid _branch_match_id _branch_referrer __readwiseLocation campaign_id click_sum fref gs_l
    hmb_campaign hmb_medium hmb_source ml_subscriber ml_subscriber_hash oly_anon_id oly_enc_id
    rb_clickid referer referrer spm trk vero_conv vero_id wickedid xtor
"""

TRACKING_PARAMS = frozenset(_LISTED.split())

# Listed, but often functional: a candidate without them is fetched and compared, and a key keeps them.
_KEPT = "cid preview preview_id preview_nonce ts timestamp _ cb rand random referrer referer campaign_id trk"

OFTEN_FUNCTIONAL = frozenset(_KEPT.split())

KEY_PARAMS = TRACKING_PARAMS - OFTEN_FUNCTIONAL
