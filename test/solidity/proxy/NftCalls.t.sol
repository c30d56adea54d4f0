// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {INftReceivers} from "../../../contracts/interfaces/external/INftReceivers.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {INftReceipts} from "../../../contracts/interfaces/proxy/INftReceipts.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {HostileNft} from "../../../contracts/mocks/HostileNft.sol";
import {MintableItems} from "../../../contracts/mocks/MintableItems.sol";
import {MintableNft} from "../../../contracts/mocks/MintableNft.sol";
import {NftSale} from "../../../contracts/mocks/NftSale.sol";
import {ReentrantNftRecipient} from "../../../contracts/mocks/ReentrantNftRecipient.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title NftCallsTest
/// @notice A call that names an NFT recipient forwards at least one token to it. Neither recipients nor collections enter
/// the contracts from a receipt, and nothing of a call outlives it. Tests run in one transaction.
contract NftCallsTest is ProxyFixture {
    uint256 private constant AMOUNT = 1_000_003;
    uint256 private constant PRICE = 250_000;

    MintableNft private _nft;
    MintableItems private _items;
    NftSale private _sale;
    ReentrantNftRecipient private _hook;

    function setUp() public {
        _deployProxy();
        _nft = new MintableNft();
        _items = new MintableItems();
        _sale = new NftSale(IERC20(address(_token)), PRICE);
        _hook = new ReentrantNftRecipient();
    }

    function test_ARecipientEntersNeitherContractFromAnyHookByAnyFunction() public {
        for (uint256 i; i < 36; ++i) {
            bool viaProxy = i % 2 == 0;
            _bring(_token, viaProxy, AMOUNT);
            _hook.arm((i / 2) % 2 == 0 ? address(_proxy) : _executor, _attack((i / 4) % 3));
            uint256 before = _token.balanceOf(RECIPIENT);
            _run(viaProxy, address(_hook), _assets(_asset(address(_token))), _steps(_mint(i / 12, i)));
            _assertEq(_hook.fired(), i + 1);
            _assertEq(_hook.lastReturnData(), abi.encodePacked(IBalanceActions.Reentrancy.selector));
            _assertEq(_token.balanceOf(RECIPIENT) - before, AMOUNT);
            if (i / 12 == 0) _assertEq(_nft.ownerOf(i), address(_hook));
            else _assertEq(_items.balanceOf(address(_hook), i), 7);
            _assertNothingLeft();
        }
    }

    function test_ARecipientThatSendsTheTokenBackReceivesItAgainAndALieGainsNothing() public {
        bytes memory back = abi.encodeWithSignature(
            "safeTransferFrom(address,address,uint256)",
            address(_hook),
            _executor,
            7
        );
        _hook.arm(address(_nft), back);
        _run(false, address(_hook), _noAssets(), _steps(_mint(0, 7)));
        _assertEq(_hook.lastSuccess(), true);
        _assertEq(_nft.ownerOf(7), address(_hook));
        // The executor asks the reporter for the transfer, which is no collection.
        _hook.arm(_executor, abi.encodeCall(INftReceivers.onERC721Received, (address(0), address(0), 8, "")));
        _run(false, address(_hook), _noAssets(), _steps(_mint(0, 9)));
        _assertEq(_hook.lastSuccess(), false);
    }

    function test_ACollectionThatCallsBackNeitherEntersNorChangesTheRecipient() public {
        for (uint256 i; i < 2; ++i) {
            HostileNft hostile = new HostileNft();
            hostile.arm(_executor, _attack(1));
            IBalanceActions.Step memory step = _step(
                address(hostile),
                abi.encodeCall(hostile.report, (_executor, 1))
            );
            _run(i == 0, RECIPIENT, _noAssets(), _steps(step, _mint(0, 10 + i)));
            _assertEq(hostile.lastReturnData(), abi.encodePacked(IBalanceActions.Reentrancy.selector));
            _assertEq(hostile.sentTo(), RECIPIENT);
            _assertEq(_nft.ownerOf(10 + i), RECIPIENT);
        }
    }

    function test_RevertWhen_NoTokenWasForwardedInThisCall() public {
        for (uint256 i; i < 2; ++i) {
            bytes memory reason = abi.encodeWithSelector(IBalanceActions.NoNftForwarded.selector, RECIPIENT);
            _run(i == 0, RECIPIENT, _noAssets(), _steps(_mint(0, i)));
            // That of an earlier call does not count, and a mint without a receipt neither.
            _assertRun(i == 0, RECIPIENT, _noAssets(), _noSteps(), reason);
            _bring(_token, i == 0, AMOUNT);
            IBalanceActions.Step memory buy = _buying(abi.encodeCall(_sale.buyUnsafe, ()));
            _assertRun(i == 0, RECIPIENT, _assets(_asset(address(_token))), _steps(buy), reason);
            VM.expectRevert(abi.encodeWithSelector(INftReceipts.NftRecipientNotSet.selector, _nft));
            _nft.mint(_executor, 100 + i);
        }
    }

    function test_RevertWhen_TheNftRecipientIsZeroTheExecutorTheProxyOrRejectsTokens() public {
        address[3] memory recipients = [address(0), _executor, address(_proxy)];
        for (uint256 i; i < 6; ++i) {
            address recipient = recipients[i % 3];
            bytes4 selector = IBalanceActions.NftRecipientInvalid.selector;
            bytes memory reason = abi.encodeWithSelector(selector, recipient);
            _assertRun(i < 3, recipient, _noAssets(), _noSteps(), reason);
        }
        VM.prank(CALLER);
        (bool success, bytes memory answer) = _executor.call(
            _calldata(address(_token), _noAssets(), _steps(_mint(0, 1)))
        );
        _assertEq(success, false);
        _assertSelector(answer, IBalanceActions.StepFailed.selector);
    }

    function test_RevertWhen_ATokenArrivesAtTheProxyOrWhileItStillPulls() public {
        VM.prank(STRANGER);
        (bool success, ) = address(_nft).call(abi.encodeCall(_nft.mint, (address(_proxy), 1)));
        _assertEq(success, false);
        (success, ) = address(_items).call(abi.encodeCall(_items.mint, (address(_proxy), 1, 1)));
        _assertEq(success, false);

        ReentrantToken hostile = new ReentrantToken();
        _bring(LocalToken(address(hostile)), true, AMOUNT);
        hostile.arm(address(_nft), abi.encodeCall(_nft.mint, (_executor, 1)));
        _run(true, RECIPIENT, _assets(_asset(address(hostile))), _steps(_mint(0, 2)));
        _assertEq(
            hostile.lastReturnData(),
            abi.encodeWithSelector(INftReceipts.NftRecipientNotSet.selector, _nft)
        );
    }

    function test_BoughtTokensReachTheRecipientWithTheChangeAndCountAsOutput() public {
        for (uint256 i; i < 2; ++i) {
            _bring(_token, i == 0, AMOUNT);
            IBalanceActions.Asset[] memory assets = _assets(_asset(address(_token)));
            _run(i == 0, RECIPIENT, assets, _steps(_buying(abi.encodeCall(_sale.buy, (3)))));
            _assertEq(_sale.balanceOf(RECIPIENT), 3 * (i + 1));
            _assertEq(_token.balanceOf(RECIPIENT), (i + 1) * (AMOUNT - 3 * PRICE));
            _assertEq(_token.allowance(_executor, address(_sale)), 0);
        }
        // The collection as an asset: its minimum output counts tokens.
        IBalanceActions.Asset[] memory named = _assets(_asset(address(_token)), _asset(address(_sale)));
        named[1].minimumOutput = 2;
        _bring(_token, false, AMOUNT);
        bytes4 selector = IBalanceActions.OutputTooLow.selector;
        bytes memory reason = abi.encodeWithSelector(selector, address(_sale), 1, 2);
        _assertRun(false, RECIPIENT, named, _steps(_buying(abi.encodeCall(_sale.buy, (1)))), reason);
        _run(false, RECIPIENT, named, _steps(_buying(abi.encodeCall(_sale.buy, (2)))));
        _assertEq(_sale.balanceOf(RECIPIENT), 8);
    }

    function test_RevertWhen_ACollectionIsAnAssetAndATokenWouldStayOrTheProxyPullsIt() public {
        IBalanceActions.Asset[] memory named = _assets(_asset(address(_token)), _asset(address(_sale)));
        _bring(_token, false, AMOUNT);
        IBalanceActions.Step[] memory steps = _steps(
            _buying(abi.encodeCall(_sale.buyUnsafe, ())),
            _mint(0, 1)
        );
        _assertRun(false, RECIPIENT, named, steps, abi.encodeWithSignature("TransferFailed()"));
        bytes4 selector = TokenReads.TokenReadFailed.selector;
        _assertRun(true, RECIPIENT, named, _noSteps(), abi.encodeWithSelector(selector, address(_sale)));
    }

    function test_TheExecutorAnswersForReceiversOfTokensAndRejectsOtherFunctionsAndValue() public {
        INftReceipts receipts = INftReceipts(_executor);
        bytes4[3] memory known = [bytes4(0x01ffc9a7), 0x150b7a02, 0x4e2312e0];
        bytes4[3] memory unknown = [bytes4(0xffffffff), 0x80ac58cd, 0x00000000];
        for (uint256 i; i < 3; ++i) {
            _assertEq(receipts.supportsInterface(known[i]), true);
            _assertEq(receipts.supportsInterface(unknown[i]), false);
        }
        (bool success, bytes memory reason) = _executor.call(hex"12345678");
        _assertEq(success, false);
        _assertEq(reason, abi.encodeWithSelector(INftReceipts.FunctionUnknown.selector, bytes4(0x12345678)));
        (success, ) = _executor.call{value: 1}(
            abi.encodeCall(INftReceipts.supportsInterface, (bytes4(0x01ffc9a7)))
        );
        _assertEq(success, false);
    }

    /// @dev `execute`, `executeWithNftRecipient` or `spend`, which would take the call's token.
    function _attack(uint256 kind) private view returns (bytes memory) {
        IBalanceActions.Asset memory loot = _asset(address(_token));
        loot.recipient = STRANGER;
        if (kind == 0) return abi.encodeCall(IBalanceActions.execute, (_assets(loot), _noSteps()));
        if (kind == 1) return _calldata(STRANGER, _assets(loot), _noSteps());
        bytes memory data = abi.encodeCall(_token.transfer, (STRANGER, 0));
        return
            abi.encodeCall(
                IBalanceActions.spend,
                (address(_token), 0, address(_token), AMOUNT_OFFSET, data, STRANGER)
            );
    }

    /// @dev Mints to the executor: a token of ERC-721, one kind of ERC-1155, or a batch.
    function _mint(uint256 kind, uint256 id) private view returns (IBalanceActions.Step memory) {
        if (kind == 0) return _step(address(_nft), abi.encodeCall(_nft.mint, (_executor, id)));
        if (kind == 1) return _step(address(_items), abi.encodeCall(_items.mint, (_executor, id, 7)));
        uint256[] memory ids = new uint256[](2);
        uint256[] memory amounts = new uint256[](2);
        (ids[0], ids[1], amounts[0], amounts[1]) = (id, id + 1_000, 7, 8);
        return _step(address(_items), abi.encodeCall(_items.mintBatch, (_executor, ids, amounts)));
    }

    function _buying(bytes memory data) private view returns (IBalanceActions.Step memory step) {
        step = _step(address(_sale), data);
        step.approvedToken = address(_token);
    }

    function _calldata(
        address nftRecipient,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps
    ) private pure returns (bytes memory) {
        return
            abi.encodeCall(
                IBalanceActions.executeWithNftRecipient,
                (IBalanceActions.NftExecution({assets: assets, steps: steps, nftRecipient: nftRecipient}))
            );
    }

    function _run(
        bool viaProxy,
        address nftRecipient,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps
    ) private {
        _assertRun(viaProxy, nftRecipient, assets, steps, "");
    }

    function _assertRun(
        bool viaProxy,
        address nftRecipient,
        IBalanceActions.Asset[] memory assets,
        IBalanceActions.Step[] memory steps,
        bytes memory expected
    ) private {
        address entry = address(_entry(viaProxy));
        VM.prank(CALLER);
        (bool success, bytes memory reason) = entry.call(_calldata(nftRecipient, assets, steps));
        _assertEq(reason, expected);
        _assertEq(success, expected.length == 0);
    }
}
